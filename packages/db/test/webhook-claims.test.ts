import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { connectDatabase } from '../src/database/client.js';
import { claimDueDeliveries, hasDueDeliveries } from '../src/webhooks/webhook-outbox.js';

const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(async () => {
  await db.$disconnect();
  await database.drop();
});
t.beforeEach(() => db.account.deleteMany());

let made = 0;

async function addAccount(endpoints: number, messages: number, endpoint: object = {}): Promise<string> {
  const id = `acc_${made++}`;
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  for (let e = 0; e < endpoints; e++) {
    const whe = `whe_${made++}`;
    const data = {
      id: whe,
      accountId: id,
      url: 'https://example.com/',
      events: ['job.completed'],
      secret: 's',
    };
    await db.webhookEndpoint.create({ data: { ...data, ...endpoint } });
    await db.$executeRaw`
      WITH event AS (
        INSERT INTO webhook_events (id, account_id, type, data)
        SELECT new_id('evt'), ${id}, 'job.completed', '{}' FROM generate_series(1, ${messages}) RETURNING id
      )
      INSERT INTO webhook_deliveries (id, account_id, event_id, endpoint_id)
      SELECT new_id('whd'), ${id}, id, ${whe} FROM event`;
  }
  return id;
}

/** As a worker with so many messages under way asks. */
const claim = async (underWay: number) => {
  const claimed = await claimDueDeliveries(db, {
    free: 64 - underWay,
    shared: Math.max(0, 32 - underWay),
    perAccountMax: 8,
    circuitFailures: 5,
  });
  return claimed.map(({ account_id }) => account_id);
};

const countOf = (accounts: readonly string[], id: string) => accounts.filter((one) => one === id).length;

t.test('an account has eight messages under way at most, over all of its endpoints', async (t) => {
  const id = await addAccount(5, 24);
  t.equal(countOf(await claim(0), id), 8);
  t.equal(countOf(await claim(8), id), 0, 'while they are under way');
  await db.$executeRaw`UPDATE webhook_deliveries SET queued_until = now() WHERE queued_until IS NOT NULL`;
  t.equal(countOf(await claim(0), id), 8, 'and again when their lease has ended');
});

t.test('accounts with many messages leave half of the places to others', async (t) => {
  const greedy = await Promise.all(Array.from({ length: 12 }, () => addAccount(5, 24)));
  const first = await claim(0);
  t.equal(first.length, 32);
  for (const id of greedy) t.ok(countOf(first, id) >= 2, 'fair shares');
  t.same(await claim(32), [], 'the other half stays free for first messages');
  const late = await addAccount(1, 3);
  t.same(await claim(32), [late], 'of whoever comes next, before all that waits');
});

t.test('endpoints that answer slowly or fail share one half, however many accounts they have', async (t) => {
  for (const slow of [{ places: 1 }, { failures: 1 }]) {
    await db.account.deleteMany();
    await Promise.all(Array.from({ length: 40 }, () => addAccount(1, 2, slow)));
    t.equal((await claim(0)).length, 32);
    t.same(await claim(32), []);
    const quick = await addAccount(1, 1);
    t.same(await claim(32), [quick]);
  }
});

t.test('an endpoint has as many places as it earned, and a suspended account none', async (t) => {
  const slow = await addAccount(1, 9, { places: 2 });
  const open = await addAccount(1, 9, { failures: 5 });
  const suspended = await addAccount(1, 9);
  await db.account.update({ where: { id: suspended }, data: { suspendedAt: new Date() } });
  const claimed = await claim(0);
  t.equal(countOf(claimed, slow), 2);
  t.equal(countOf(claimed, open), 1);
  t.equal(countOf(claimed, suspended), 0);
});

t.test('nothing is due where nothing waits, or all that waits is leased', async (t) => {
  t.equal(await hasDueDeliveries(db), false);
  await addAccount(1, 1);
  t.equal(await hasDueDeliveries(db), true);
  await claim(0);
  t.equal(await hasDueDeliveries(db), false);
});
