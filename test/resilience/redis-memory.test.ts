import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@verdict/test-kit/eventually.js';
import { Redis } from 'ioredis';
import t from 'tap';
import { startCheckLoad } from '../harness/check-load.js';
import { persistedChecks } from '../harness/persisted-checks.js';
import { startStack } from '../harness/start-stack.js';

const PLANS = { free: { checks_per_month: 1_000_000, checks_per_second: 100_000, retention_days: 30 } };

t.test('checks are refused before Redis is full, and taken again when the logs are persisted', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-memory-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'plans.json'), JSON.stringify(PLANS));
  const stack = await startStack({
    redis: { maxmemory: '8mb' },
    env: { all: { PLANS_FILE: join(directory, 'plans.json') }, gateway: { REDIS_HIGH_WATER_PERCENT: 50 } },
  });
  t.teardown(() => stack.stop());
  const [worker] = stack.workers;
  const redis = new Redis(stack.redis.url);
  t.teardown(() => redis.disconnect());
  const isRefused = async () =>
    (await stack.api('check/', { json: { email: 'a@gmail.com' } })).status === 503;

  // A worker that persists nothing, as when Postgres is away.
  worker?.signal('SIGSTOP');
  t.teardown(() => worker?.signal('SIGCONT'));
  const load = startCheckLoad({
    baseUrls: stack.baseUrls,
    apiKey: stack.apiKey,
    connections: 16,
    perSecond: 1_000,
  });
  await eventually(isRefused, { withinMs: 60_000, everyMs: 50 });
  const result = await load.stop();
  t.match(stack.gateways[0]?.output(), 'checks are refused: too many logs wait');
  t.strictSame(
    Object.keys(result.failures).filter((what) => what !== '503'),
    [],
  );
  const info = await redis.info('memory');
  const used = Number(/^used_memory:(\d+)/m.exec(info)?.[1]);
  t.ok(used < 8 * 1024 * 1024, `${used} bytes are in use`);

  worker?.signal('SIGCONT');
  await eventually(async () => !(await isRefused()), { withinMs: 30_000, everyMs: 100 });
  const persisted = await persistedChecks(stack.sql, stack.accountId, result.accepted);
  t.strictSame(persisted.lost, [], `${result.accepted.length} accepted checks are all there`);
  t.equal(persisted.rollup, persisted.rows);
  t.notMatch(stack.gateways[0]?.output(), 'OOM', 'Redis never had to refuse a write');
});
