import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedisCluster } from '@verdict/local-stack/start-redis-cluster.js';
import { Queue } from 'bullmq';
import { Cluster } from 'ioredis';
import t from 'tap';
import { createCheckLogConsumer } from '../src/check-log-consumer.js';
import { CHECK_LOG_JOB_OPTIONS } from '../src/check-log-job-options.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '../src/queue-names.js';

const SHARDS = 6;

t.test('a shard that is out of reach does not hold up the jobs of the others', async (t) => {
  const cluster = await startRedisCluster();
  t.teardown(() => cluster.stop());
  const nodes = cluster.nodes.split(',').map((node) => {
    const [host, port] = node.split(':');
    return { host: host as string, port: Number(port) };
  });
  const connect = () => {
    // Nothing times out while the test runs, so waiting for the shard would show.
    const redis = new Cluster(nodes, {
      redisOptions: { maxRetriesPerRequest: null, commandTimeout: 600_000 },
    });
    redis.on('error', () => {});
    t.teardown(() => redis.disconnect());
    return redis;
  };
  const homes = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => cluster.masterOf(`${shardPrefix(shard)}:x`)),
  );
  const [gone] = homes;
  if (!gone) throw new Error('there is no shard');
  const well = homes.findIndex((home) => home !== gone);
  t.ok(well > 0, 'shards lie on more than one master');
  const open = (shard: number) => {
    const queue = new Queue(CHECK_LOG_QUEUE, { connection: connect(), prefix: shardPrefix(shard) });
    queue.on('error', () => {});
    t.teardown(() => queue.close());
    return queue;
  };
  const [lost, queue] = [open(0), open(well)];

  const events: string[] = [];
  const consumer = createCheckLogConsumer({
    connection: connect(),
    shards: SHARDS,
    sizeOf: () => 1,
    roundSize: 100,
    async handle(jobs) {
      for (const { data } of jobs) events.push(String(data));
    },
    onError() {},
    onRetry() {},
  });
  // Rounds that find jobs ask every shard; an idle worker would have asked this one before it is gone.
  let isGone = false;
  const feed = async (to: Queue, data: string) => {
    while (!isGone) await to.add('job', data, CHECK_LOG_JOB_OPTIONS);
  };
  const fed = feed(queue, 'before');
  void feed(lost, 'from the other').catch(() => {});
  const seen = (data: string) => events.filter((one) => one === data).length;
  await eventually(() => seen('before') > 20 && seen('from the other') > 20, { withinMs: 120_000 });

  // With its replica, so that there is no fail-over.
  const replica = cluster.replicas[cluster.masters.indexOf(gone)];
  for (const node of [gone, replica]) node?.signal('SIGSTOP');
  t.teardown(async () => {
    for (const node of [gone, replica]) node?.signal('SIGCONT');
    await consumer.close();
  });
  isGone = true;
  await fed;
  for (let i = 0; i < 5; i++) {
    await queue.add('job', `meanwhile-${i}`, CHECK_LOG_JOB_OPTIONS);
    await eventually(() => events.includes(`meanwhile-${i}`), { withinMs: 120_000 });
  }
  t.pass('they were handled while nobody had given up on the other');
});
