import { randomBytes } from 'node:crypto';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { connectForRequests } from '../src/connect.js';
import { readCounter, repairCounter } from '../src/counters.js';
import { forgetIdle } from '../src/forget-idle.js';
import { accountKey, listsKey, policiesKey } from '../src/keys.js';
import { type AccountProjection, projectAccount } from '../src/project.js';
import { readAccount } from '../src/read-account.js';
import { redisNow } from '../src/redis-now.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
await redis.connect();
const store = { redis, shards: 1 };
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});
const DAY_SECONDS = 86_400;
const MONTH = '2026-11';

const projection = (accountId: string, version: number, status = 'active'): AccountProjection => ({
  accountId,
  version,
  plan: 'free',
  limit: 1_000,
  rate: 50,
  used: [{ month: MONTH, checks: 3 }],
  keyUsed: [{ month: MONTH, keyId: 'key_1', checks: 2 }],
  credentials: ['a', 'key_1'].map((name) => ({ name, status })),
  policies: { live: 1, shadow: null, rules: { 1: [] } },
  listsVersion: 0,
  lists: [{ list: 'block', kind: 'domain', match: 'exact', value: 'b.example', expires_at: null }],
});

/** An account whose last check was so long ago. */
async function checkedBefore(seconds: number) {
  const accountId = `acc_${randomBytes(8).toString('hex')}`;
  await projectAccount(store, projection(accountId, 5));
  const micros = ((await redisNow(redis)) - seconds * 1_000) * 1_000;
  const key = accountKey(accountId, 1);
  await redis.hset(key, 't:key_1', micros, `u:${MONTH}`, 40, `q:${MONTH}:key_1`, 30, 'd', '20000 7');
  return { accountId, key };
}

t.test('an account without a check for a day leaves Redis, and comes back with its counters', async (t) => {
  const { accountId, key } = await checkedBefore(DAY_SECONDS + 600);
  const before = Number(await redis.memory('USAGE', key));
  t.equal(await forgetIdle(store), 1);
  t.equal(await readAccount(store, accountId, MONTH), null);
  t.equal(await redis.exists(listsKey(accountId, 1), policiesKey(accountId, 1)), 0);
  t.ok(Number(await redis.memory('USAGE', key)) < before);
  t.equal(await forgetIdle(store), 0, 'once');
  const counter = await readCounter(store, accountId, MONTH, []);
  t.equal(counter?.used, 40, 'reconciliation still sees it');

  t.equal(await projectAccount(store, projection(accountId, 5)), 'written', 'the same version');
  t.match(await readAccount(store, accountId, MONTH), { version: 5, used: 40 });
  t.match(await redis.hgetall(key), {
    'k:a': 'active',
    [`q:${MONTH}:key_1`]: '30',
    d: '20000 7',
    lists: '1',
  });
  t.equal(await redis.hget(key, 'was'), null);
});

t.test('an account with a check within the day stays whole', async (t) => {
  const { accountId, key } = await checkedBefore(DAY_SECONDS - 600);
  const before = await redis.hgetall(key);
  await forgetIdle(store);
  t.strictSame(await redis.hgetall(key), before);
  t.equal(await redis.exists(listsKey(accountId, 1), policiesKey(accountId, 1)), 2);
});

t.test('a month that began after an account was forgotten starts with the count of Postgres', async (t) => {
  const { accountId } = await checkedBefore(2 * DAY_SECONDS);
  await forgetIdle(store);
  await projectAccount(store, { ...projection(accountId, 6), used: [{ month: '2026-12', checks: 9 }] });
  t.match(await readAccount(store, accountId, '2026-12'), { used: 9 });
});

t.test('a writer that is late does not bring a revoked key back', async (t) => {
  const { accountId, key } = await checkedBefore(2 * DAY_SECONDS);
  await projectAccount(store, projection(accountId, 6, 'inactive'));
  await forgetIdle(store);
  t.equal(await projectAccount(store, projection(accountId, 5)), 'refused');
  t.equal(await redis.hget(key, 'k:a'), null);
  t.equal(await projectAccount(store, projection(accountId, 6, 'inactive')), 'written');
  t.equal(await redis.hget(key, 'k:a'), 'inactive');
});

t.test('the counter of a forgotten account can be repaired', async (t) => {
  const { accountId } = await checkedBefore(2 * DAY_SECONDS);
  await forgetIdle(store);
  const seen = { used: 40, batchIds: [] };
  t.equal(await repairCounter(store, accountId, MONTH, seen, 41), true);
  await projectAccount(store, projection(accountId, 5));
  t.match(await readAccount(store, accountId, MONTH), { used: 41 });
});
