import type { CheckResult } from '@verdict/contracts/check-api.js';
import type { ShadowReportReply } from '@verdict/contracts/policy.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpRequest, http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { besideRows } from '../harness/beside-rows.js';

/**
 * Two accounts with the same numbers and opposite contents on one gateway, one worker and one control plane. A cache that
 * leaves the account out of its key (test/architecture/caches.ts) gives one of them the other's.
 */
const stack = await startStack({ gateways: 1, workers: 1, env: { gateway: { BURSTS: 'on' } } });
t.teardown(() => stack.stop());
const [api = ''] = stack.baseUrls;
const ROUNDS = 40;
const LISTED = 'listed-corp.com';
const PATIENT = { withinMs: 120_000 };

interface Contents {
  readonly decision: 'block' | 'review';
  readonly shadow: 'allow' | 'challenge';
  readonly list: 'block' | 'allow';
  readonly bursts: boolean;
}

async function customer({ decision, shadow, list, bursts }: Contents) {
  const account = await stack.createAccount('scale');
  const { email, password, apiKey } = account;
  const login = await http<{ access: string }>(`${api}auth/jwt/create/`, { json: { email, password } });
  const call = async <T>(path: string, request: HttpRequest): Promise<T> => {
    const headers = { authorization: `Bearer ${login.body.access}` };
    const { status, body, text } = await http<T>(`${api}${path}`, { headers, ...request });
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
    return body as T;
  };
  for (const exactly of [decision, shadow]) {
    const when = { all: [{ field: 'score', op: 'gte', value: 0 }] };
    await call('policies/', { json: { rules: [{ name: `Rule of ${exactly}`, when, then: { exactly } }] } });
  }
  await call('policies/live/', { method: 'PUT', json: { version: 1, really: true } });
  await call('policies/shadow/', { method: 'PUT', json: { version: 2 } });
  await call(`lists/${list}/`, { json: { value: LISTED } });
  await call('dashboard/settings/', { method: 'PATCH', json: { bursts } });
  const endpoint = { url: 'https://hooks.example.com/verdict', events: ['check.blocked'] };
  await call('webhooks/endpoints/', { json: endpoint });
  const check = async (address: string) => {
    const headers = { 'x-api-key': apiKey };
    const url = `${api}check/?expand=signals`;
    const { status, body } = await http<CheckResult>(url, { headers, json: { email: address } });
    if (status !== 200) throw new Error(`${address}: ${status}`);
    return body;
  };
  return { ...account, call, check };
}

const strict = await customer({ decision: 'block', shadow: 'allow', list: 'block', bursts: false });
const lenient = await customer({ decision: 'review', shadow: 'challenge', list: 'allow', bursts: true });
const answers = { strict: [] as CheckResult[], lenient: [] as CheckResult[] };

t.test('each account is judged by its own rules, although both call them version 1', async (t) => {
  // Together, so that they share batches, jobs and rounds.
  const names = Array.from({ length: ROUNDS }, (_, i) => `p${i}@gmail.com`);
  const given = await Promise.all(
    names.map((name) => Promise.all([strict.check(name), lenient.check(name)])),
  );
  answers.strict.push(...given.map(([one]) => one));
  answers.lenient.push(...given.map(([, other]) => other));
  t.strictSame([...new Set(answers.strict.map(({ decision }) => decision))], ['block']);
  t.strictSame([...new Set(answers.lenient.map(({ decision }) => decision))], ['review']);
});

t.test('each row is what its account was answered, and its shadow is its own', async (t) => {
  const rowsOf = (accountId: string) =>
    stack.sql<{ id: string; decision: string; shadow: { decision?: string } | null }>(
      'SELECT id, decision, shadow FROM check_logs WHERE account_id = $1',
      [accountId],
    );
  for (const [name, { accountId, call }, shadow, considered] of [
    ['strict', strict, 'allow', ['lists', 'policy']],
    ['lenient', lenient, 'challenge', ['lists', 'policy', 'bursts']],
  ] as const) {
    const rows = await eventually(async () => {
      const found = await rowsOf(accountId);
      return found.length === ROUNDS && found;
    }, PATIENT);
    t.strictSame(await besideRows(stack.sql, answers[name]), [], `${name}: answers are their rows`);
    for (const row of rows) t.equal(row.shadow?.decision, shadow, `${name}: its shadow version 2`);
    const report = (await call<ShadowReportReply>('policies/shadow/', {})).shadow;
    t.match(report, { judged: ROUNDS, changed: ROUNDS }, `${name}: its report`);
    t.strictSame(report?.considered, considered, `${name}: says what its checks came with`);
  }
});

t.test('lists, settings and hooks of one account mean nothing to the other', async (t) => {
  for (let i = 0; i < 3; i++) {
    t.equal((await strict.check(`l${i}@${LISTED}`)).decision, 'block');
    t.equal((await lenient.check(`l${i}@${LISTED}`)).decision, 'allow');
  }
  const seen = ({ signals }: CheckResult) => (signals as { seen?: { mailbox: number | null } }).seen?.mailbox;
  t.equal(seen(await strict.check('same.person@gmail.com')) ?? null, null, 'counts nothing');
  t.equal(seen(await lenient.check('same.person@gmail.com')), 1, 'counts its own');
  t.equal(seen(await lenient.check('sameperson@gmail.com')), 2);
  const blocked = ({ accountId }: { accountId: string }) =>
    stack.sql<{ log: string }>(
      `SELECT e.data->>'log_id' AS log FROM webhook_events e JOIN webhook_deliveries d ON d.event_id = e.id
         JOIN webhook_endpoints p ON p.id = d.endpoint_id AND p.account_id = e.account_id
       WHERE e.account_id = $1 AND e.type = 'check.blocked'`,
      [accountId],
    );
  const told = await eventually(async () => {
    const events = new Set((await blocked(strict)).map(({ log }) => log));
    return answers.strict.every(({ id }) => events.has(id)) && events;
  }, PATIENT);
  t.notOk(
    answers.lenient.some(({ id }) => told.has(id)),
    'and only of its own',
  );
  t.equal((await blocked(lenient)).length, 0, 'nothing of it was blocked');
});

t.test('each key sees the use of its own account', async (t) => {
  const usageOf = async ({ apiKey }: { apiKey: string }) => {
    const headers = { 'x-api-key': apiKey };
    const { body } = await http<{ by_decision: Record<string, number> }>(`${api}usage/`, { headers });
    return body.by_decision;
  };
  await eventually(async () => ((await usageOf(strict)).block ?? 0) >= ROUNDS, PATIENT);
  await eventually(async () => ((await usageOf(lenient)).review ?? 0) >= ROUNDS, PATIENT);
  // Together, while the gateway still remembers the one that it was asked for first.
  const [one, other] = await Promise.all([usageOf(strict), usageOf(lenient)]);
  t.match([(one.block ?? 0) > 0, one.review ?? 0], [true, 0], 'all of it was blocked');
  t.match([(other.review ?? 0) > 0, other.block ?? 0], [true, 0], 'nothing of it was blocked');
});

t.test('a revoked key of one account leaves the other alone', async (t) => {
  await strict.call(`dashboard/keys/${strict.apiKeyId}/`, { method: 'DELETE' });
  await t.rejects(strict.check('late@gmail.com'), /403/);
  t.equal((await lenient.check('late@gmail.com')).decision, 'review');
});
