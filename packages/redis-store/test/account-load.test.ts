import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { addLoad, topAccounts } from '../src/account-load.js';
import { connectForRequests } from '../src/connect.js';
import { loadKeys } from '../src/keys.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-11-18T12:30:30Z');
const load = (accountId: string, answered: number, refused = 0) => ({ accountId, answered, refused });

t.test('accounts are ranked by what was answered and refused in five minutes', async (t) => {
  await addLoad(redis, [load('acc_old', 1_000_000)], NOW - 6 * MINUTE_MS);
  await addLoad(redis, [load('acc_steady', 10), load('acc_loop', 1, 100)], NOW - 5 * MINUTE_MS);
  await addLoad(redis, [load('acc_steady', 20, 1)], NOW - MINUTE_MS);
  await addLoad(redis, [load('acc_steady', 30), load('acc_small', 5)], NOW);
  t.strictSame(await topAccounts(redis, 2, NOW), [load('acc_loop', 1, 100), load('acc_steady', 60, 1)]);
  t.strictSame((await topAccounts(redis, 10, NOW)).at(-1), load('acc_small', 5));
});

t.test('a minute keeps the thousand largest accounts and is forgotten', async (t) => {
  const at = NOW + 60 * MINUTE_MS;
  const crowd = Array.from({ length: 1_500 }, (_, i) => load(`acc_${i}`, i + 1, 1_500 - i));
  await addLoad(redis, crowd.slice(0, 750), at);
  await addLoad(redis, crowd.slice(750), at);
  const keys = loadKeys(Math.floor(at / MINUTE_MS));
  for (const key of keys) {
    t.equal(await redis.zcard(key), 1_000);
    const seconds = await redis.ttl(key);
    t.ok(seconds > 5 * 60 && seconds <= 7 * 60, `${seconds} s`);
  }
  t.equal(await redis.zscore(keys[0], 'acc_1499'), '1500');
  t.equal(await redis.zscore(keys[0], 'acc_0'), null);
});
