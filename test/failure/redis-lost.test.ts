import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import t from 'tap';
import { CHAOS } from './config.js';
import { startChaosStack } from './support/chaos-stack.js';
import { printFigures } from './support/print-figures.js';
import { readUsed } from './support/read-used.js';
import { seedSmallAccount } from './support/seed-small-account.js';

const chaos = await startChaosStack();
const { stack, workers, metering } = chaos;
t.teardown(() => chaos.stop());
const small = await seedSmallAccount(stack);

const check = async (gateway = 0) =>
  http<{ id?: string }>(`${stack.baseUrls[gateway]}check/`, {
    headers: { 'x-api-key': small.apiKey },
    json: { email: 'jane@load.example' },
  });
async function checks(count: number): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => check(i % 2)));
  return answers.filter(({ status }) => status === 200).map(({ body }) => body.id ?? '');
}
const rows = async () =>
  (await stack.sql<{ id: string }>('SELECT id FROM check_logs WHERE account_id = $1', [small.accountId])).map(
    ({ id }) => id,
  );
const drained = () =>
  eventually(async () => (await readBacklog(metering.redis, metering.shards)).oldestMs === null, {
    withinMs: CHAOS.drainMs,
  });

t.test('a lost Redis admits no more beyond the quota than was on its way when it went', async (t) => {
  const month = monthOf(new Date());
  const persisted = await checks(20);
  await eventually(async () => (await rows()).length === 20);
  for (const worker of workers) worker.signal('SIGSTOP');
  const onTheirWay = await checks(10);
  t.equal(persisted.length + onTheirWay.length, 30);

  await stack.controlPlane.kill();
  await metering.redis.flushall();
  t.strictSame(await checks(10), [], 'nobody is admitted before Postgres was asked');
  await stack.controlPlane.restart();
  await eventually(async () => (await check()).status === 200);
  const after = [...(await checks(small.limit)), 'the one above'];
  t.equal((await check()).status, 429);
  const beyond = persisted.length + onTheirWay.length + after.length - small.limit;
  t.equal(beyond, onTheirWay.length, 'the count went on from Postgres, not from zero');

  for (const worker of workers) worker.signal('SIGCONT');
  await drained();
  const stored = await eventually(async () => {
    const found = await rows();
    return persisted.length + after.length <= found.length && found;
  });
  const lost = onTheirWay.filter((id) => !stored.includes(id));
  printFigures(t.name, { limit: small.limit, beyond, lost: lost.length, rows: stored.length });
  t.strictSame(
    [...persisted, ...after.slice(0, -1)].filter((id) => !stored.includes(id)),
    [],
    'whatever was answered before or after is billed',
  );
  t.equal(stored.length, small.limit + onTheirWay.length - lost.length);

  // Those that a worker had in hand were persisted after the counter had been filled again.
  const found = await reconcile(metering, month, 'counters');
  t.equal(found.length, lost.length === onTheirWay.length ? 0 : 1);
  t.ok(found.every(({ repaired }) => repaired));
  t.equal(await readUsed(metering.redis, small.accountId, month), stored.length);
  t.strictSame(await reconcile(metering, month), []);
  t.equal((await check()).status, 429);
});
