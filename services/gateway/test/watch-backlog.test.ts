import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { startRedisCluster } from '@verdict/local-stack/start-redis-cluster.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '@verdict/queues/queue-names.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import t from 'tap';
import { watchBacklog } from '../src/check/watch-backlog.js';

const SHARDS = 6;
const JOBS_MAX = 3;

t.test('one dead node does not freeze the decision to refuse checks', async (t) => {
  const cluster = await startRedisCluster();
  t.teardown(() => cluster.stop());
  const redis = connectForRequests({ cluster: cluster.nodes, timeoutMs: 20_000 }, 'test');
  t.teardown(() => redis.disconnect());
  await openRedis(redis);
  const waitOf = (shard: number) => `${shardPrefix(shard)}:${CHECK_LOG_QUEUE}:wait`;
  const homes = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => cluster.masterOf(waitOf(shard))),
  );
  const [gone] = homes;
  if (!gone) throw new Error('there is no shard');
  const well = homes.findIndex((home) => home !== gone);
  const backlog = watchBacklog({
    redis,
    shards: SHARDS,
    jobsMax: JOBS_MAX,
    memoryShareMax: 1,
    log: createLogger('gateway', 'silent'),
    onChange() {},
    onMemory() {},
  });
  t.teardown(() => backlog.stop());

  // With its replica, so that there is no fail-over.
  const master = cluster.masters.indexOf(gone);
  await Promise.all([cluster.masters[master], cluster.replicas[master]].map((node) => node?.kill()));
  await redis.rpush(waitOf(well), ...Array.from({ length: JOBS_MAX + 1 }, (_, i) => `job-${i}`));
  t.ok(await eventually(() => backlog.overflowing, { withinMs: 120_000 }), 'it is seen that too many wait');
  await redis.del(waitOf(well));
  t.ok(await eventually(() => !backlog.overflowing, { withinMs: 120_000 }), 'and that they are gone');
});

t.test('memory that accounts take does not stop checks, and what waits beside it does', async (t) => {
  const server = await startRedis({ settings: { maxmemory: '64mb' } });
  t.teardown(() => server.stop());
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
  t.teardown(() => redis.disconnect());
  await openRedis(redis);
  for (let i = 0; i < 40; i++) await redis.set(`kept-${i}`, 'x'.repeat(1_000_000));
  let looks = 0;
  const backlog = watchBacklog({
    redis,
    shards: 1,
    jobsMax: JOBS_MAX,
    memoryShareMax: 0.5,
    log: createLogger('gateway', 'silent'),
    onChange() {},
    onMemory() {
      looks += 1;
    },
  });
  t.teardown(() => backlog.stop());
  await eventually(() => looks > 2, { withinMs: 120_000 });
  t.notOk(backlog.overflowing, 'Redis keeps more than the mark, and nothing waits');
  const wait = `${shardPrefix(0)}:${CHECK_LOG_QUEUE}:wait`;
  await redis.rpush(wait, ...Array.from({ length: 100 }, (_, i) => `job-${i}`));
  for (let i = 0; i < 16; i++) await redis.set(`waits-${i}`, 'x'.repeat(1_000_000));
  t.ok(
    await eventually(() => backlog.overflowing, { withinMs: 120_000 }),
    'more than half of the rest waits',
  );
});

t.test('memory decides where Redis tells it, however many jobs wait', async (t) => {
  const server = await startRedis({ settings: { maxmemory: '64mb' } });
  t.teardown(() => server.stop());
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
  t.teardown(() => redis.disconnect());
  await openRedis(redis);
  let looks = 0;
  const backlog = watchBacklog({
    redis,
    shards: 1,
    jobsMax: JOBS_MAX,
    memoryShareMax: 0.5,
    log: createLogger('gateway', 'silent'),
    onChange() {},
    onMemory() {
      looks += 1;
    },
  });
  t.teardown(() => backlog.stop());
  const wait = `${shardPrefix(0)}:${CHECK_LOG_QUEUE}:wait`;
  await redis.rpush(wait, ...Array.from({ length: JOBS_MAX + 100 }, (_, i) => `job-${i}`));
  const before = looks;
  await eventually(() => looks > before + 2, { withinMs: 120_000 });
  t.notOk(backlog.overflowing, 'a long queue that takes little memory is taken');
  for (let i = 0; i < 40; i++) await redis.set(`filler-${i}`, 'x'.repeat(1024 * 1024));
  t.ok(await eventually(() => backlog.overflowing, { withinMs: 120_000 }), 'a full one is not');
});
