import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { Queue, QueueKeys } from 'bullmq';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { readBacklog } from '../src/backlog.js';
import {
  type CheckLogConsumer,
  createCheckLogConsumer,
  type DeliveredJob,
} from '../src/check-log-consumer.js';
import { CHECK_LOG_JOB_OPTIONS } from '../src/check-log-job-options.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '../src/queue-names.js';
import { openShardJobs } from '../src/shard-jobs.js';

const SHARDS = 2;
const DAY_MS = 86_400_000;
const server = await startRedis();
t.teardown(() => server.stop());
const redis = new Redis(server.url, { maxRetriesPerRequest: null, enableAutoPipelining: true });
t.teardown(() => redis.disconnect());
const queues = Array.from(
  { length: SHARDS },
  (_, shard) => new Queue(CHECK_LOG_QUEUE, { connection: redis, prefix: shardPrefix(shard) }),
);

const queueJobs = (values: readonly number[]) =>
  Promise.all(
    values.map((value) => queues[value % SHARDS]?.add('job', { value }, { ...CHECK_LOG_JOB_OPTIONS })),
  );
const valuesOf = (jobs: readonly DeliveredJob[]) =>
  jobs.map(({ data }) => (data as { value: number }).value).sort((a, b) => a - b);
const isEmpty = async () => (await readBacklog(redis, SHARDS)).oldestMs === null;

type Options = Parameters<typeof createCheckLogConsumer>[0];
function consume(t: Test, options: Partial<Options> & Pick<Options, 'handle'>): CheckLogConsumer {
  const consumer = createCheckLogConsumer({
    connection: redis,
    shards: SHARDS,
    sizeOf: () => 1,
    roundSize: 1_000,
    onError: (error) => t.comment(error.message),
    onRetry: () => {},
    ...options,
  });
  t.teardown(() => consumer.close());
  return consumer;
}

t.test('jobs that gathered on all shards are handled together, and each of them once', async (t) => {
  const values = Array.from({ length: 300 }, (_, i) => i);
  await queueJobs(values);
  const rounds: number[][] = [];
  const consumer = consume(t, { handle: async (jobs) => void rounds.push(valuesOf(jobs)) });
  await eventually(isEmpty);
  t.strictSame(
    rounds.flat().sort((a, b) => a - b),
    values,
  );
  // A shard that the machine keeps from answering in time is left to the next round.
  t.ok(rounds.length <= 30, `${rounds.length} rounds`);
  t.equal(consumer.finished(), 300);
});

t.test('a round ends when it holds enough, and no more than two are under way', async (t) => {
  await queueJobs(Array.from({ length: 200 }, (_, i) => i));
  let underWay = 0;
  let most = 0;
  const sizes: number[] = [];
  consume(t, {
    roundSize: 20,
    async handle(jobs) {
      most = Math.max(most, ++underWay);
      sizes.push(jobs.length);
      // Each waits for company before it finishes, except the last ones, which may stay alone.
      await eventually(async () => most === 2 || (await readBacklog(redis, SHARDS)).waiting === 0);
      underWay--;
    },
  });
  await eventually(isEmpty);
  t.equal(most, 2);
  // Jobs requested before the last answer may still be added.
  t.ok(Math.max(...sizes) <= 20 * SHARDS, `at most ${Math.max(...sizes)} in a round`);
});

t.test(
  'a round that fails goes back to the queue as a whole and is tried again; the next is not its concern',
  async (t) => {
    await queueJobs([1, 2]);
    const retried: number[] = [];
    const seen: number[][] = [];
    let failures = 0;
    let failed = 0;
    consume(t, {
      async handle(jobs) {
        const values = valuesOf(jobs);
        if (values.includes(1) && failures++ === 0) {
          failed = values.length;
          throw new Error('no');
        }
        seen.push(values);
      },
      onRetry: (jobIds) => retried.push(jobIds.length),
    });
    await eventually(() => failures === 1);
    await queueJobs([3]);
    await eventually(async () => (await isEmpty()) && seen.flat().length === 3);
    t.strictSame(retried, [failed]);
    t.strictSame(
      seen.flat().sort((a, b) => a - b),
      [1, 2, 3],
    );
  },
);

t.test('a job in hand stays in hand for longer than its lock would last', async (t) => {
  let deliveries = 0;
  // A machine that sleeps longer than a lock lasts loses it: then it is tried once more.
  for (let attempt = 0; attempt < 5 && deliveries !== 1; attempt++) deliveries = await deliveriesInHand(t);
  t.equal(deliveries, 1);
});

/** How often one job is delivered whose handling lasts for longer than a lock, with another consumer beside it. */
async function deliveriesInHand(t: Test): Promise<number> {
  await queueJobs([7]);
  let deliveries = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle = async () => {
    deliveries++;
    await gate;
  };
  const holder = consume(t, { lockMs: 4_000, handle });
  await eventually(() => deliveries === 1);
  const other = consume(t, { lockMs: 4_000, handle });
  const lock = `${shardPrefix(1)}:${CHECK_LOG_QUEUE}`;
  // Renewed twice, so it was held for longer than one lock lasts: its time to live was seen to go up again.
  let renewals = 0;
  let last = Number.POSITIVE_INFINITY;
  await eventually(async () => {
    const [key] = await redis.keys(`${lock}:*:lock`);
    const left = key ? await redis.pttl(key) : -1;
    if (left > last) renewals++;
    last = left;
    return renewals >= 2 || deliveries > 1;
  });
  release();
  await eventually(isEmpty);
  await Promise.all([holder.close(), other.close()]);
  return deliveries;
}

t.test('the jobs of a consumer that fell silent come to another', async (t) => {
  await queueJobs([5]);
  const silent = new Redis(server.url, { maxRetriesPerRequest: null });
  let taken = 0;
  const lost = createCheckLogConsumer({
    connection: silent,
    shards: SHARDS,
    sizeOf: () => 1,
    roundSize: 10,
    lockMs: 300,
    async handle() {
      taken++;
      // As a process that was killed: neither finishes nor renews.
      silent.disconnect();
      throw new Error('gone');
    },
    onError: () => {},
    onRetry: () => {},
  });
  await eventually(() => taken === 1);
  const seen: number[] = [];
  consume(t, { lockMs: 300, handle: async (jobs) => void seen.push(...valuesOf(jobs)) });
  await eventually(isEmpty);
  // At least once: a consumer delayed for longer than so short a lock gets it again.
  t.strictSame([...new Set(seen)], [5]);
  await lost.close();
});

t.test('a Redis whose clock was a day ahead for a moment holds no job back', async (t) => {
  const lost = openShardJobs({ connection: redis, shard: 0, lockMs: 60_000, onError: () => {} });
  await queueJobs([4]);
  const [job] = await lost.take(1);
  await lost.close();
  // A lock of some seconds now lasts a day, and so does the mark of the search for lost jobs.
  const keys = new QueueKeys(shardPrefix(0)).getKeys(CHECK_LOG_QUEUE);
  await redis.pexpire(`${keys['']}${job?.id}:lock`, DAY_MS);
  await redis.set(keys['stalled-check'] ?? '', 'tomorrow', 'PX', DAY_MS);
  const seen: number[] = [];
  consume(t, { lockMs: 300, handle: async (jobs) => void seen.push(...valuesOf(jobs)) });
  await eventually(isEmpty);
  t.strictSame([...new Set(seen)], [4]);
});

t.test('a job that a worker with a wrong clock put off until tomorrow is done today', async (t) => {
  const ahead = openShardJobs({ connection: redis, shard: 0, lockMs: 60_000, onError: () => {} });
  t.teardown(() => ahead.close());
  await queueJobs([6]);
  const taken = await ahead.take(1);
  await ahead.giveBack(taken, new Error('not now'));
  const keys = new QueueKeys(shardPrefix(0)).getKeys(CHECK_LOG_QUEUE);
  const [id = '', score = ''] = await redis.zrange(keys.delayed ?? '', '0', '0', 'WITHSCORES');
  t.equal(id, taken[0]?.id);
  await redis.zadd(keys.delayed ?? '', String(Number(score) + DAY_MS * 0x1000), id);
  const seen: number[] = [];
  consume(t, { lockMs: 300, handle: async (jobs) => void seen.push(...valuesOf(jobs)) });
  await eventually(isEmpty);
  t.strictSame([...new Set(seen)], [6]);
});

t.test('a late completion does not take a job out of the hands of a later round', async (t) => {
  const jobs = openShardJobs({
    connection: redis,
    shard: 0,
    lockMs: 60_000,
    onError: (error) => t.comment(error.message),
  });
  t.teardown(() => jobs.close());
  await queueJobs([0]);
  const first = await jobs.take(1);
  // A fail-over loses the lock and the move to the active jobs. The same worker then takes the job once more.
  const keys = new QueueKeys(shardPrefix(0)).getKeys(CHECK_LOG_QUEUE);
  const id = first[0]?.id ?? '';
  await redis
    .multi()
    .del(`${keys['']}${id}:lock`)
    .lmove(keys.active ?? '', keys.wait ?? '', 'RIGHT', 'RIGHT')
    .exec();
  const second = await jobs.take(1);
  t.equal(second[0]?.id, id);
  await jobs.complete(first);
  t.strictSame(await redis.lrange(keys.active ?? '', 0, -1), [id], 'it is still in hand');
  t.equal(await redis.exists(`${keys['']}${id}`), 1, 'with its data');
  await jobs.complete(second);
  t.ok(await isEmpty(), 'the round that holds it completes it');
});

t.test('closing waits for what is in hand and takes nothing more', async (t) => {
  await queueJobs([1]);
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let started = 0;
  const consumer = consume(t, {
    async handle() {
      started++;
      await gate;
    },
  });
  await eventually(() => started === 1);
  const closed = consumer.close();
  // A take that was in flight at that moment may still bring what is queued before it ends.
  await pause(1_000);
  await queueJobs([2]);
  release();
  await closed;
  t.equal(started, 1);
  t.equal((await readBacklog(redis, SHARDS)).waiting, 1);
  await Promise.all(queues.map((queue) => queue.obliterate({ force: true })));
});

t.teardown(async () => {
  await Promise.all(queues.map((queue) => queue.close()));
});

t.test('a consumer whose first connections are refused takes jobs as soon as Redis lets it', async (t) => {
  const own = connectForQueues({ url: server.url, timeoutMs: 5_000 }, 'test');
  await own.connect();
  t.teardown(() => own.disconnect());
  // Redis turns away every connection beyond those that it has.
  await redis.config('SET', 'maxclients', 1);
  const errors: string[] = [];
  const seen: number[] = [];
  consume(t, {
    connection: own,
    handle: async (jobs) => void seen.push(...valuesOf(jobs)),
    onError: ({ message }) => errors.push(message),
  });
  await eventually(() => errors.length > SHARDS);
  await redis.config('SET', 'maxclients', 1_000);
  await queueJobs([1, 2]);
  await eventually(() => seen.length === 2);
  t.strictSame(seen.sort(), [1, 2]);
});
