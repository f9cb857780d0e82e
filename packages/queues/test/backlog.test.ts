import { startRedis } from '@verdict/local-stack/start-redis.js';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import t from 'tap';
import { countWaiting, holdsJobsBefore, readBacklog } from '../src/backlog.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '../src/queue-names.js';

const server = await startRedis({ settings: { appendfsync: 'no' } });
t.teardown(() => server.stop());
const redis = new Redis(server.url, { maxRetriesPerRequest: null });
t.teardown(() => redis.disconnect());
const queue = new Queue(CHECK_LOG_QUEUE, { connection: redis, prefix: shardPrefix(1) });
t.teardown(() => queue.close());
const SHARDS = 2;
const OLDEST_MS = Date.parse('2026-11-15T10:00:00Z');

t.test('an empty queue has no oldest job', async (t) => {
  t.match(await readBacklog(redis, SHARDS), { waiting: 0, active: 0, failed: 0, oldestMs: null });
  t.equal(await holdsJobsBefore(redis, SHARDS, Date.now()), false);
});

t.test('beyond thousands of jobs it is still known since when they wait', async (t) => {
  const jobs = Array.from({ length: 6_000 }, (_, i) => ({
    name: 'checks',
    data: {},
    opts: { timestamp: OLDEST_MS + i },
  }));
  await queue.addBulk(jobs);
  t.match(await readBacklog(redis, SHARDS), { waiting: 6_000, oldestMs: OLDEST_MS });
  t.equal(await countWaiting(redis, 1), 6_000);
  t.equal(await countWaiting(redis, 0), 0);
});

t.test('an old job behind newer ones is not overlooked where it matters', async (t) => {
  t.equal(await holdsJobsBefore(redis, SHARDS, OLDEST_MS), false);
  t.equal(await holdsJobsBefore(redis, SHARDS, OLDEST_MS + 1), true);
  await queue.add('checks', {}, { timestamp: OLDEST_MS - 60_000 });
  await queue.addBulk(Array.from({ length: 600 }, () => ({ name: 'checks', data: {} })));
  t.equal(await holdsJobsBefore(redis, SHARDS, OLDEST_MS), true);
});

t.test('a job without a time is an error, not an empty queue', async (t) => {
  const [id] = await queue.getRanges(['wait'], 0, 0, true);
  await redis.hdel(queue.toKey(String(id)), 'timestamp');
  await t.rejects(readBacklog(redis, SHARDS), /does not say when it was queued/);
});
