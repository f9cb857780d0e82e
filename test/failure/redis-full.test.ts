import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { accountFor } from './support/account-for.js';
import { assertAccount } from './support/assert-account.js';
import { startChaosStack } from './support/chaos-stack.js';
import { type Load, startLoad } from './support/load.js';

const chaos = await startChaosStack();
const { stack, workers, postgres, metering } = chaos;
t.teardown(() => chaos.stop());

const everything: Load['attempts'][number][] = [];
const load = (tag: string) =>
  startLoad({ baseUrls: stack.baseUrls, apiKey: stack.apiKey, clients: CHAOS.clients, tag });
const countOf = ({ attempts }: Load, status: number) =>
  attempts.filter((attempt) => attempt.status === status).length;
const more = (running: Load, status: number, count: number) => {
  const target = countOf(running, status) + count;
  return eventually(() => countOf(running, status) >= target, { withinMs: 240_000 });
};
const memory = async (field: string) =>
  Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(await metering.redis.info('memory'))?.[1]);
const limitMemory = (bytes: number) => metering.redis.config('SET', 'maxmemory', bytes);
const onlyAnswers = (running: Load) =>
  running.attempts.filter(({ status }) => status !== 200 && status !== 503);

t.test('while Postgres is away checks are refused before Redis is full, and taken again after', async (t) => {
  const running = load('filling');
  await more(running, 200, 20);
  postgres.cut();
  // A quarter of it must hold what a second of load can add before the mark is noticed.
  const limit = Math.round((await memory('used_memory')) * 1.6);
  await limitMemory(limit);
  await more(running, 503, 50);
  t.ok((await memory('used_memory')) < limit, 'there is room left for the worker');
  // Each gateway looks for itself, once a second.
  await eventually(async () => {
    const metrics = await Promise.all(
      stack.gateways.map(({ internalUrl }) => http<string>(`${internalUrl}/metrics`)),
    );
    return metrics.every(({ text }) => /^verdict_checks_shed(\{.*\})? 1$/m.test(text));
  });
  // Without a job in hand a worker must be able to take one.
  for (const worker of workers) await worker.kill();
  postgres.restore();
  for (const worker of workers) await worker.restart();
  await more(running, 200, 50);
  await running.stop();
  for (const attempt of running.attempts) everything.push(attempt);
  t.strictSame(onlyAnswers(running), []);
  assertAccount(t, await accountFor(metering, stack.accountId, everything, CHAOS.drainMs));
});

t.test('a Redis that refuses every write answers 503, and nothing answered is lost', async (t) => {
  const running = load('full');
  await more(running, 200, 20);
  await limitMemory(1_000_000);
  await more(running, 503, 50);
  await limitMemory(0);
  await more(running, 200, 50);
  await running.stop();
  for (const attempt of running.attempts) everything.push(attempt);
  t.strictSame(onlyAnswers(running), []);
  assertAccount(t, await accountFor(metering, stack.accountId, everything, CHAOS.drainMs));
});
