import { createHash, randomUUID } from 'node:crypto';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { stepWithInsert } from '@verdict/redis-store/step.js';
import { Queue, Worker } from 'bullmq';
import t from 'tap';
import { bullmqScript } from '../src/bullmq-script.js';
import { createCheckLogInserts } from '../src/check-log-inserts.js';
import { CHECK_LOG_JOB_OPTIONS } from '../src/check-log-job-options.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '../src/queue-names.js';
import { openShardJobs } from '../src/shard-jobs.js';

/**
 * Of BullMQ's scripts as they were read: none writes outside its queue. A release of BullMQ with another one has to be read
 * again, with the keys and arguments that we pass, before this changes.
 */
const READ = {
  addStandardJob: '5ab432e88830d573e2fa33392ffbd4ad25a9b100',
  moveToActive: 'd96ca626f1ea141b44a856b312fc636d99aa9ea9',
  moveToFinished: '69666e69dd5621df59067a03de685e55a486560d',
};
const LOCK_MS = 10_000;

const server = await startRedis();
t.teardown(() => server.stop());
const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'test');
await redis.connect();
t.teardown(() => redis.disconnect());
const onError = (error: Error) => t.fail(error.message);

t.test('the texts of BullMQ that run inside our scripts were read', async (t) => {
  const queue = new Queue(CHECK_LOG_QUEUE, { connection: redis, prefix: shardPrefix(9) });
  t.teardown(() => queue.close());
  for (const [name, sha] of Object.entries(READ)) {
    const { lua } = await bullmqScript(queue, name);
    t.equal(createHash('sha1').update(lua).digest('hex'), sha, name);
  }
});

t.test("the step runs BullMQ's own insert", async (t) => {
  const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError });
  t.teardown(() => inserts.close());
  const data = { v: 4 as const, verdicts: [], groups: [] };
  const insert = inserts.prepare({ shard: 0, batchId: 'bat_1', data, queuedAtMs: 1, traces: undefined });
  t.equal(insert.keys.length, 9);
  t.equal(insert.args.length, 3);
  const { source, sha } = stepWithInsert(inserts.script);
  t.equal(await redis.script('LOAD', source), sha, 'and both compile as one');
});

t.test('a round taken and completed leaves what BullMQ itself would leave', async (t) => {
  const [ours, theirs] = [1, 2];
  for (const shard of [ours, theirs]) {
    const queue = new Queue(CHECK_LOG_QUEUE, { connection: redis, prefix: shardPrefix(shard) });
    t.teardown(() => queue.close());
    for (const id of ['a', 'b', 'c', 'd'])
      await queue.add('job', { id }, { ...CHECK_LOG_JOB_OPTIONS, jobId: id, timestamp: 7 });
  }
  const jobs = openShardJobs({ connection: redis, shard: ours, lockMs: LOCK_MS, onError });
  t.teardown(() => jobs.close());
  const worker = new Worker(CHECK_LOG_QUEUE, null, {
    connection: redis,
    prefix: shardPrefix(theirs),
    autorun: false,
    lockDuration: LOCK_MS,
  });
  t.teardown(() => worker.close(true));

  const taken = await jobs.take(3);
  const token = randomUUID();
  const each = [0, 1, 2].map(() => worker.getNextJob(token, { block: false }));
  const taking = await Promise.all(each);
  t.strictSame(
    taken.map(({ id, data, queuedAtMs, traces }) => ({ id, data, queuedAtMs, traces })),
    taking.map((job) => ({ id: job?.id, data: job?.data, queuedAtMs: 7, traces: undefined })),
  );
  t.strictSame(await contentOf(ours), await contentOf(theirs), 'while they are in hand');

  await jobs.complete(taken);
  await Promise.all(taking.map((job) => job?.moveToCompleted(undefined, token, false)));
  t.strictSame(await contentOf(ours), await contentOf(theirs), 'when they are done');

  const last = await jobs.take(3);
  await jobs.complete(last);
  const own = await worker.getNextJob(token, { block: false });
  await own?.moveToCompleted(undefined, token, false);
  t.equal(last.length, 1);
  t.strictSame(await contentOf(ours), await contentOf(theirs), 'and when the queue is drained');
});

t.test('a job whose lock was lost is not completed, and the others of its round are', async (t) => {
  const shard = 3;
  const queue = new Queue(CHECK_LOG_QUEUE, { connection: redis, prefix: shardPrefix(shard) });
  t.teardown(() => queue.close());
  for (const id of ['a', 'b']) await queue.add('job', { id }, { ...CHECK_LOG_JOB_OPTIONS, jobId: id });
  const errors: string[] = [];
  const jobs = openShardJobs({
    connection: redis,
    shard,
    lockMs: LOCK_MS,
    onError: (error) => errors.push(error.message),
  });
  t.teardown(() => jobs.close());
  const taken = await jobs.take(2);
  await redis.set(`${queue.toKey('a')}:lock`, 'of somebody else');
  await jobs.complete(taken);
  t.match(errors, [/a/]);
  t.equal(errors.length, 1);
  t.strictSame(await redis.lrange(queue.toKey('active'), 0, -1), ['a']);
});

/** Every key of a shard's queue with its content, without times and tokens, and without the mark of the stalled check's timer. */
async function contentOf(shard: number): Promise<Record<string, unknown>> {
  const prefix = `${shardPrefix(shard)}:`;
  const found: Record<string, unknown> = {};
  for (const key of (await redis.keys(`${prefix}*`)).sort()) {
    const name = key.slice(prefix.length);
    if (name.endsWith(':stalled-check')) continue;
    const type = await redis.type(key);
    const ttl = await redis.pttl(key);
    found[name] = { type, expires: ttl > 0, content: await read[type]?.(key) };
  }
  return found;
}

const read: Record<string, (key: string) => Promise<unknown>> = {
  string: async () => 'a text',
  list: (key) => redis.lrange(key, 0, -1),
  set: async (key) => (await redis.smembers(key)).sort(),
  zset: (key) => redis.zrange(key, '0', '-1', 'WITHSCORES'),
  hash: async (key) => ({ ...(await redis.hgetall(key)), processedOn: 'a time' }),
  stream: async (key) => (await redis.xrange(key, '-', '+')).map(([, fields]) => fields),
};
