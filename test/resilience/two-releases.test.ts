import type { CheckResult } from '@verdict/contracts/check-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startService, type TestService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import t from 'tap';
import { besideRows } from '../harness/beside-rows.js';
import { buildNextRelease } from './build-next-release.js';

/** A rolling upgrade: gateways and workers of two releases whose rules move scores otherwise. */
const next = await buildNextRelease();
t.teardown(next.remove);
const stack = await startStack();
t.teardown(() => stack.stop());
const [api = ''] = stack.baseUrls;
const start = (name: 'gateway' | 'worker'): Promise<TestService> =>
  startService(name, stack.environments[name], undefined, next.fileOf(name));
const [gateway, worker] = [await start('gateway'), stack.workers[0]];
t.teardown(() => gateway.stop());
if (!worker) throw new Error('the stack has no worker');
const nextApi = `${gateway.url}/api/v1/`;
const letters = createDeadLetters({ connection: { url: stack.redis.url }, onError: () => undefined });
t.teardown(() => letters.close());

const { email, password } = stack;
const login = await http<{ access: string }>(`${api}auth/jwt/create/`, { json: { email, password } });
const authorization = `Bearer ${login.body.access}`;
const all = { all: [{ field: 'score', op: 'gte', value: 0 }] };
const rules = [{ name: 'All', when: all, then: { at_least: 'challenge' } }];
await http(`${api}policies/`, { json: { rules }, headers: { authorization } });
const live = { method: 'PUT' as const, json: { version: 1, really: true }, headers: { authorization } };
await http(`${api}policies/live/`, live);

const check = async (base: string, once: string) => {
  const headers = { 'x-api-key': stack.apiKey, 'idempotency-key': once };
  return http<CheckResult>(`${base}check/?expand=breakdown`, {
    json: { email: `${once}@gmail.com` },
    headers,
  });
};
const rowOf = async (id: string) => {
  const [row] = await stack.sql<{ id: string }>('SELECT id FROM check_logs WHERE id = $1', [id]);
  return row;
};
/** Waits for the row of an answer, and says what differs. */
async function stored(answer: CheckResult): Promise<string[]> {
  await eventually(() => rowOf(answer.id));
  return besideRows(stack.sql, [answer]);
}

t.test('a worker of the next release stores what a gateway of this one answered', async (t) => {
  await worker.stop();
  const { body } = await check(api, 'first');
  t.match(body, { decision: 'challenge', risk_score: 30 });
  const upgraded = await start('worker');
  t.strictSame(await stored(body), []);
  const { body: ahead } = await check(nextApi, 'ahead');
  t.match(ahead, { decision: 'challenge', risk_score: 54 }, 'the next release has other rules');
  t.strictSame(await stored(ahead), []);
  await upgraded.stop();
});

t.test('a worker of this release sets aside what only the next one can judge', async (t) => {
  const { body } = await check(nextApi, 'early');
  await worker.restart();
  const letter = await eventually(async () =>
    (await letters.list()).find(({ logIds }) => logIds.includes(body.id)),
  );
  t.match(letter.reason, /^engine 4 of the rules is not known/);
  t.equal(await rowOf(body.id), undefined, 'and guesses nothing');
  await worker.stop();
  const upgraded = await start('worker');
  await letters.retry(letter.id);
  t.strictSame(await stored(body), []);
  await upgraded.stop();
});

t.test('a replay is the first answer to the byte, or none', async (t) => {
  const first = await check(api, 'first');
  t.match(first.body, { risk_score: 30 });
  t.equal((await check(nextApi, 'first')).text, first.text, 'the next release repeats this one');
  const ahead = await check(nextApi, 'ahead');
  t.match(ahead.body, { risk_score: 54 });
  t.match(await check(api, 'ahead'), { status: 503, body: { code: 'unavailable' } });
});
