import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedisCluster } from '@verdict/local-stack/start-redis-cluster.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { accountKey, noteKey } from '@verdict/redis-store/keys.js';
import { createReplicaWait, TooFewReplicas } from '@verdict/redis-store/replica-wait.js';
import t from 'tap';
import { failuresOf, startCheckLoad } from '../harness/check-load.js';
import { persistedChecks } from '../harness/persisted-checks.js';
import { moveSlot } from './move-slot.js';

const SHARDS = 6;
const MOVES = 4;
const cluster = await startRedisCluster();
t.teardown(() => cluster.stop());

t.test('a shard moves to another master under load: every answer is one row and one count', async (t) => {
  const stack = await startStack({
    workers: 2,
    env: { all: { REDIS_CLUSTER: cluster.nodes, REDIS_SHARDS: SHARDS } },
  });
  t.teardown(() => stack.stop());
  const key = accountKey(stack.accountId, SHARDS);
  const load = startCheckLoad({
    baseUrls: stack.baseUrls,
    apiKey: stack.apiKey,
    connections: 8,
    perSecond: 40, // below the rate of the free plan
  });
  t.teardown(() => load.stop());
  const masters = [(await cluster.masterOf(key)).port];
  for (let move = 1; move <= MOVES; move++) {
    await eventually(() => load.accepted() >= 40 * move);
    await moveSlot(cluster, key);
    masters.push((await cluster.masterOf(key)).port);
  }
  await eventually(() => load.accepted() >= 40 * (MOVES + 1));
  const result = await load.stop();
  for (let i = 1; i <= MOVES; i++) t.not(masters[i], masters[i - 1], 'it moved');

  const persisted = await persistedChecks(stack.sql, stack.accountId, result.accepted);
  t.comment(
    `${result.attempts} requests, ${failuresOf(result)} failed ${JSON.stringify(result.failures)}, ` +
      `longest gap ${result.longestGapMs} ms, ${persisted.rows} rows, ${persisted.lost.length} lost`,
  );
  t.strictSame(
    Object.keys(result.failures).filter((what) => what !== '503'),
    [],
    'whoever was refused was told 503',
  );
  t.strictSame(persisted.lost, [], 'every answered check is there');
  t.equal(persisted.rollup, persisted.rows, 'what is billed is what is there');
  const month = new Date().toISOString().slice(0, 7);
  const { client } = await cluster.masterOf(key);
  t.equal(Number(await client.hget(key, `u:${month}`)), persisted.rows, 'and what was counted');
});

t.test('a write that follows its slot to another master waits for the replicas of that one', async (t) => {
  const key = noteKey(0, 'moved');
  const redis = connectForRequests({ cluster: cluster.nodes, timeoutMs: 20_000 }, 'test');
  t.teardown(() => redis.disconnect());
  await openRedis(redis);
  const { confirm } = createReplicaWait(redis, { replicas: 1, timeoutMs: 2_000 });
  const write = () => confirm(0, () => redis.set(key, 'written'));
  await eventually(() => write().catch(() => null));
  const before = await cluster.masterOf(key);
  for (const [i, replica] of cluster.replicas.entries()) {
    if (cluster.masters[i] !== before) replica.signal('SIGSTOP');
  }
  await moveSlot(cluster, key);
  await t.rejects(write(), TooFewReplicas);
  t.equal(await (await cluster.masterOf(key)).client.get(key), 'written', 'it was written there');
});
