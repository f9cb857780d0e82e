import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { agreeOnShards, notedShards } from '../src/agree-on-shards.js';
import { connectForRequests } from '../src/connect.js';
import { forgetProjections } from '../src/forget-projections.js';
import { accountKey, identityKey, listsKey, noteKey, recordKey, seenKeys } from '../src/keys.js';
import { shardOf } from '../src/shards.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});

t.test('accounts are spread evenly, and always the same way', async (t) => {
  const counts = new Map<number, number>();
  for (let i = 0; i < 6_000; i++) {
    const shard = shardOf(`acc_${i.toString(36).toUpperCase()}`, 6);
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  t.equal(counts.size, 6);
  t.ok(
    [...counts.values()].every((count) => count > 850 && count < 1_150),
    [...counts.values()].join(' '),
  );
  t.equal(shardOf('acc_01KA3V8ZQ4TESTACCOUNT00000', 8), shardOf('acc_01KA3V8ZQ4TESTACCOUNT00000', 8));
  t.equal(shardOf('anything', 1), 0);
});

t.test('everything of an account, and the notes of its shard, is in one hash slot', async (t) => {
  const tag = `{${shardOf('acc_1', 8)}}`;
  const keys = [
    accountKey('acc_1', 8),
    listsKey('acc_1', 8),
    recordKey('acc_1', 'n', 8),
    ...seenKeys('acc_1', 8),
  ];
  for (const key of [...keys, noteKey(shardOf('acc_1', 8), 'bat_1')]) t.match(key, tag);
});

t.test('the first process notes the number, and one that disagrees must not start', async (t) => {
  t.equal(await notedShards(redis), null);
  await agreeOnShards({ redis, shards: 2 });
  await t.resolves(agreeOnShards({ redis, shards: 2 }));
  await t.rejects(
    agreeOnShards({ redis, shards: 4 }),
    /REDIS_SHARDS is 4, but the accounts of this Redis are spread over 2: set it to 2, or .* "verdict shards 4"/,
  );
});

t.test('another number forgets what can be projected again, and nothing else', async (t) => {
  await redis.hset(accountKey('acc_1', 2), 'v', 1);
  await redis.hset(listsKey('acc_1', 2), 'a', 'b');
  await redis.hset('verdict:{acc_old}:account', 'v', 1);
  await redis.zadd('verdict:{acc_old}:reserved', 1, 'log');
  await redis.set(identityKey('hash'), 'acc_1 key_1');
  t.equal(await forgetProjections({ redis, shards: 4 }), 4);
  t.equal(await notedShards(redis), 4);
  t.equal(await redis.get(identityKey('hash')), 'acc_1 key_1');
  await t.resolves(agreeOnShards({ redis, shards: 4 }));
});
