import { randomBytes } from 'node:crypto';
import { createIdFactory } from '@verdict/domain/id.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import t from 'tap';
import { connectForRequests } from '../src/connect.js';
import { readCounter, repairCounter } from '../src/counters.js';
import { accountKey, reservedKey } from '../src/keys.js';
import { accountsWithReservations, knownAccounts } from '../src/scan-accounts.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url }, 'test');
t.teardown(async () => {
  redis.disconnect();
  await server.stop();
});
const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));
const NOVEMBER = Date.UTC(2026, 10, 15) * 1000;
const DECEMBER = Date.UTC(2026, 11, 1) * 1000;

t.test('a counter is read with the reservations of its own month', async (t) => {
  const account = createId('acc');
  t.equal(await readCounter(redis, account, '2026-11'), null, 'an absent account is not an empty one');
  await redis.hset(accountKey(account), 'v', 1, 'u:2026-11', 7);
  await redis.zadd(reservedKey(account), NOVEMBER, 'log_a', DECEMBER, 'log_b');
  t.strictSame(await readCounter(redis, account, '2026-11'), {
    used: 7,
    reservations: [{ logId: 'log_a', admittedAtMicros: NOVEMBER }],
  });
  t.match(await readCounter(redis, account, '2026-12'), { used: null, reservations: [{ logId: 'log_b' }] });
});

t.test('a repair that finds the counter moved changes nothing', async (t) => {
  const account = createId('acc');
  await redis.hset(accountKey(account), 'v', 1, 'u:2026-11', 7);
  const seen = { used: 7, reservations: [] };
  await redis.hincrby(accountKey(account), 'u:2026-11', 1);
  t.equal(await repairCounter(redis, account, '2026-11', seen, 5), false);
  t.equal(await redis.hget(accountKey(account), 'u:2026-11'), '8');
  await redis.hincrby(accountKey(account), 'u:2026-11', -1);
  await redis.zadd(reservedKey(account), NOVEMBER, 'log_a');
  t.equal(
    await repairCounter(redis, account, '2026-11', seen, 5),
    false,
    'nor one that finds a new reservation',
  );
  await redis.del(reservedKey(account));
  t.equal(await repairCounter(redis, account, '2026-11', seen, 5), true);
  t.equal(await redis.hget(accountKey(account), 'u:2026-11'), '5');
});

t.test('accounts are found by what they have in Redis', async (t) => {
  const [quiet, busy] = [createId('acc'), createId('acc')];
  await redis.hset(accountKey(quiet), 'v', 1);
  await redis.hset(accountKey(busy), 'v', 1);
  await redis.zadd(reservedKey(busy), NOVEMBER, 'log_a');
  const known = await collect(knownAccounts(redis));
  t.ok(known.includes(quiet) && known.includes(busy));
  const reserved = await collect(accountsWithReservations(redis));
  t.ok(reserved.includes(busy) && !reserved.includes(quiet));
});

async function collect(accounts: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const account of accounts) found.push(account);
  return found;
}
