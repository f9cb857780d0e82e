import { Redis } from 'ioredis';
import t from 'tap';
import { createDatabase } from '../src/create-database.js';
import { eventually } from '../src/eventually.js';
import { query } from '../src/query.js';
import { startRedis } from '../src/start-redis.js';

t.test('a redis that crashed comes back on its port with what it had acknowledged', async (t) => {
  const redis = await startRedis();
  t.teardown(() => redis.stop());
  const client = new Redis(redis.url, { retryStrategy: () => 20 });
  client.on('error', () => {});
  t.teardown(() => client.disconnect());

  await client.set('kept', 'yes');
  const before = redis.pid;
  await redis.kill();
  await redis.restart();

  t.not(redis.pid, before);
  t.equal(await client.get('kept'), 'yes');
});

t.test('each database is migrated and shares nothing with the next', async (t) => {
  const [one, other] = await Promise.all([createDatabase(), createDatabase()]);
  t.teardown(() => Promise.all([one.drop(), other.drop()]));

  await query(one.url, 'CREATE TABLE only_here (n int)');
  t.same(await query(other.url, "SELECT to_regclass('only_here') AS found"), [{ found: null }]);
  const [migrations] = await query<{ applied: number }>(
    other.url,
    'SELECT count(*)::int AS applied FROM _prisma_migrations',
  );
  t.ok(migrations && migrations.applied > 0, 'the migrations are in the clone');
});

t.test('eventually returns the fact, and names what it last saw when the time is up', async (t) => {
  let asked = 0;
  t.equal(await eventually(() => (asked++ < 3 ? null : asked), { everyMs: 1 }), 4);
  await t.rejects(
    eventually(() => Promise.reject(new Error('still down')), { withinMs: 5, everyMs: 1 }),
    /last seen: still down/,
  );
});
