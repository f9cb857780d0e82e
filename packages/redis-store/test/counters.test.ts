import { randomBytes } from 'node:crypto';
import { createIdFactory } from '@verdict/domain/id.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { connectForRequests } from '../src/connect.js';
import { readCounter, repairCounter } from '../src/counters.js';
import { accountKey } from '../src/keys.js';
import { knownAccounts } from '../src/known-accounts.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
const store = { redis, shards: 1 };
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});
const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));

t.test('a counter is read together with the batches that are queued in its shard', async (t) => {
  const account = createId('acc');
  const [list, set] = [`{0}:${createId('bat')}`, `{0}:${createId('bat')}`];
  const keys = [list, set, '{0}:empty'];
  t.equal(await readCounter(store, account, '2026-11', keys), null, 'an absent account is not an empty one');
  await redis.hset(accountKey(account, 1), 'v', 1, 'u:2026-11', 7);
  await redis.rpush(list, 'bat_a', 'bat_b');
  await redis.zadd(set, 5, 'bat_c');
  t.strictSame(await readCounter(store, account, '2026-11', keys), {
    used: 7,
    batchIds: ['bat_a', 'bat_b', 'bat_c'],
  });
  t.strictSame(await readCounter(store, account, '2026-12', []), { used: null, batchIds: [] });
  await redis.rpush(list, ...Array.from({ length: 5_000 }, (_, i) => `bat_${i}`));
  t.strictSame(await readCounter(store, account, '2026-11', keys), { used: 7, batchIds: null });
});

t.test('a repair that finds the counter moved changes nothing', async (t) => {
  const account = createId('acc');
  const key = accountKey(account, 1);
  await redis.hset(key, 'v', 1, 'u:2026-11', 7);
  const seen = { used: 7, batchIds: [] };
  await redis.hincrby(key, 'u:2026-11', 1);
  t.equal(await repairCounter(store, account, '2026-11', seen, 5), false);
  t.equal(await redis.hget(key, 'u:2026-11'), '8');
  await redis.hincrby(key, 'u:2026-11', -1);
  t.equal(await repairCounter(store, account, '2026-11', seen, 5), true);
  t.equal(await redis.hget(key, 'u:2026-11'), '5');
});

t.test('every account that Redis knows is found once, in whatever shard', async (t) => {
  const accounts = Array.from({ length: 50 }, () => createId('acc'));
  await Promise.all(accounts.map((account) => redis.hset(accountKey(account, 8), 'v', 1)));
  const known: string[] = [];
  for await (const account of knownAccounts(redis)) known.push(account);
  t.strictSame(
    accounts.filter((account) => known.filter((one) => one === account).length !== 1),
    [],
  );
});
