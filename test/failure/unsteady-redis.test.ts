import { setTimeout as pause } from 'node:timers/promises';
import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { accountFor } from './support/account-for.js';
import { assertAccount } from './support/assert-account.js';
import { startChaosStack } from './support/chaos-stack.js';
import { type Load, startLoad } from './support/load.js';
import { printFigures } from './support/print-figures.js';
import { readUsed } from './support/read-used.js';
import { seedSmallAccount } from './support/seed-small-account.js';

const chaos = await startChaosStack();
const { stack, workers, postgres, metering } = chaos;
t.teardown(() => chaos.stop());
const small = await seedSmallAccount(stack);

/** A gateway whose connection to Redis breaks as often as the test likes, after a command was sent or before. */
const link = await startProxy({ host: '127.0.0.1', port: stack.redis.port });
t.teardown(() => link.close());
const gateway = await startService('gateway', {
  ...stack.environments.gateway,
  REDIS_URL: `redis://127.0.0.1:${link.port}`,
});
t.teardown(() => gateway.stop());

async function check(baseUrl: string, apiKey = small.apiKey) {
  const { status, body } = await http<{ id?: string }>(`${baseUrl}check/`, {
    headers: { 'x-api-key': apiKey },
    json: { email: 'jane@load.example' },
  });
  return { status, logId: body.id ?? '' };
}
const drained = () =>
  eventually(async () => (await readBacklog(metering.redis, metering.shards)).oldestMs === null, {
    withinMs: CHAOS.drainMs,
  });

const everything: Load['attempts'][number][] = [];
const load = (tag: string) =>
  startLoad({ baseUrls: stack.baseUrls, accounts: [stack], clients: CHAOS.clients, tag });
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
  assertAccount(t, await accountFor(metering, [stack.accountId], everything, CHAOS.drainMs));
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
  assertAccount(t, await accountFor(metering, [stack.accountId], everything, CHAOS.drainMs));
});

t.test('replies of Redis are lost: exactly the quota passes, and every answer has its row', async (t) => {
  const answered: string[] = [];
  let lost = 0;
  let isUsedUp = false;
  let fruitless = 0;
  const used = () => readUsed(metering.redis, small.accountId, monthOf(new Date()));
  // Redis runs what it gets and its answer vanishes, then the connection breaks and the gateway asks again. A slow machine
  // gets nothing done in between: after some breaks in vain they wait for an answer.
  const breaking = async () => {
    while (!isUsedUp) {
      await pause(25);
      if (fruitless === 20) continue;
      link.loseAnswers();
      const before = await used();
      await pause(25);
      if (Number(await used()) > Number(before)) lost++;
      link.cut();
      link.restore();
      fruitless++;
    }
  };
  const clients = Array.from({ length: 8 }, async () => {
    while (!isUsedUp) {
      const { status, logId } = await check(`${gateway.url}/api/v1/`);
      if (status === 200) {
        answered.push(logId);
        fruitless = 0;
      }
      if (status === 429) isUsedUp = true;
    }
  });
  await Promise.all([...clients, breaking()]);
  await drained();
  const rows = await stack.sql<{ id: string }>('SELECT id FROM check_logs WHERE account_id = $1', [
    small.accountId,
  ]);
  const stored = new Set(rows.map(({ id }) => id));
  printFigures(t.name, { lost, answered: answered.length, rows: rows.length });
  t.ok(lost > 0, `checks were taken and their answers lost ${lost} times`);
  t.equal(rows.length, small.limit, `${answered.length} answered`);
  t.strictSame(
    answered.filter((id) => !stored.has(id)),
    [],
  );
  t.equal(await readUsed(metering.redis, small.accountId, monthOf(new Date())), small.limit);
  t.strictSame(await reconcile(metering, monthOf(new Date())), []);
});

t.test('a used-up month stays used up when Redis is killed', async (t) => {
  await stack.redis.kill();
  await stack.redis.restart();
  await eventually(async () => (await check(stack.baseUrls[0] ?? '')).status === 429);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => check(stack.baseUrls[i % 2] ?? '')));
  t.ok(answers.every(({ status }) => status === 429));
});

t.test('a Redis that hangs is a 503 while it does, and checks go on as soon as it does', async (t) => {
  stack.redis.signal('SIGSTOP');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => check(stack.baseUrls[i % 2] ?? '', stack.apiKey)),
  );
  // It hangs until they are answered, so no request waited for it.
  stack.redis.signal('SIGCONT');
  t.ok(answers.every(({ status }) => status === 503));
  await eventually(async () => (await check(stack.baseUrls[0] ?? '', stack.apiKey)).status === 200);
  await drained();
  t.strictSame(
    await reconcile(metering, monthOf(new Date())),
    [],
    'what was cut short is counted or is not, as a whole',
  );
});
