import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, type Database } from '@verdict/db/database/client.js';
import { patiently } from '@verdict/db/database/patiently.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import type { Settings } from '@verdict/local-stack/child-environment.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { startService } from '@verdict/local-stack/start-service.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { TASKS_KEY } from '@verdict/redis-store/keys.js';
import t, { type Test } from 'tap';
import { REHEARSAL_PLANS_FILE } from '../src/rehearsal/rehearsal-plans.js';
import { seedAccounts, seedMonth } from '../src/rehearsal/seed-rehearsal.js';

/** Months in the past of every clock, so that a worker closes them as soon as it runs. */
const FIRST = addMonths(monthOf(new Date()), -3);
const MONTHS = [0, 1, 2] as const;

const directory = await mkdtemp(join(tmpdir(), 'verdict-closing-'));
const plansFile = join(directory, 'plans.json');
await writeFile(plansFile, JSON.stringify(REHEARSAL_PLANS_FILE));
t.teardown(() => rm(directory, { recursive: true, force: true }));

/** Written once and cloned: three months take seconds to write. */
const seeded = await createDatabase();
t.teardown(() => seeded.drop());
const seeding = connectDatabase({ url: seeded.url, name: 'seeding' });
await seedAccounts(seeding, FIRST);
for (const index of MONTHS) await seedMonth(seeding, addMonths(FIRST, index), index);
await seeding.$disconnect();

async function setUp(t: Test) {
  const database = await createDatabase(seeded.name);
  const server = await startRedis();
  const db = connectDatabase({ url: database.url, name: 'closing' });
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'closing');
  await redis.connect();
  t.teardown(async () => {
    redis.disconnect();
    await db.$disconnect();
    await server.stop();
    await database.drop();
  });
  /** A real worker process. */
  async function worker(environment: Settings = {}) {
    const started = await startService('worker', {
      REDIS_URL: server.url,
      DATABASE_URL: database.urlOf('worker'),
      REDIS_TIMEOUT_MS: '20000',
      PLANS_FILE: plansFile,
      CLOSE_GRACE_HOURS: 0,
      EMAIL_HASH_SECRET: 'a secret of this test',
      ...environment,
    });
    t.teardown(() => started.stop());
    return started;
  }
  const done = () => eventually(async () => Number(await redis.hget(TASKS_KEY, 'close:done')) > 0, PATIENT);
  /** A worker that starts now takes a turn immediately, like one that starts an hour later. */
  const forgetTurns = () => redis.del(TASKS_KEY);
  return { url: database.url, db, worker, done, forgetTurns };
}

const PATIENT = { withinMs: 120_000 };

/** Sets the clock of a Node process 400 days ahead. */
const AHEAD = `const RealDate = Date, now = () => RealDate.now() + 400 * 86400e3;
globalThis.Date = class extends RealDate {
  constructor(...args) { args.length === 0 ? super(now()) : super(...args); }
  static now() { return now(); }
};`;
const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(AHEAD).toString('base64')}`;
const today = () => new Date().toISOString().slice(0, 10);

/** Everything on the invoices except the day of this test run. */
const invoicesOf = (db: Database) => db.$queryRaw<unknown[]>`
  SELECT number, kind, account_id, month::text, subtotal::text, tax::text, total::text, document, statement_checksum
  FROM invoices ORDER BY number`;
const statementsOf = (db: Database) => db.$queryRaw<unknown[]>`
  SELECT month::text, account_id, checksum FROM statements ORDER BY 1, 2`;

/** A foreign lock: statements that need the table wait until it is released. */
async function hold(url: string, db: Database, table: string) {
  const name = `holder of ${table}`;
  const holder = connectDatabase({ url, name, connectionsMax: 1 });
  const asleep = `DO $$ BEGIN LOCK TABLE ${table} IN EXCLUSIVE MODE; PERFORM pg_sleep(3600); END $$`;
  const held = patiently(holder, holder.$executeRawUnsafe(asleep)).catch(() => 'woken');
  await eventually(async () => {
    const locks = await db.$queryRaw<unknown[]>`
      SELECT FROM pg_locks WHERE relation = ${table}::regclass AND mode = 'ExclusiveLock' AND granted`;
    return locks.length > 0;
  }, PATIENT);
  return {
    async release() {
      await db.$queryRaw`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = ${name}`;
      await held;
      await holder.$disconnect();
    },
  };
}

const stopped = (db: Database, statement: string, count: number) =>
  eventually(async () => {
    const waiting = await db.$queryRaw<unknown[]>`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND wait_event_type = 'Lock' AND query LIKE ${`%${statement}%`}`;
    return waiting.length >= count;
  }, PATIENT);

t.test(
  'two workers that close at once, both killed in the middle, leave the invoices of one that was not',
  async (t) => {
    const calm = await setUp(t);
    const { url, db, worker, done, forgetTurns } = await setUp(t);
    // Beside the other two: a worker looks for its tasks every five seconds.
    const started = today();
    const closed = calm.worker({ NODE_OPTIONS }).then(calm.done);
    const statements = await hold(url, db, 'statements');
    const invoices = await hold(url, db, 'invoices');
    const first = await worker();
    await stopped(db, 'billing_month', 1);
    await forgetTurns();
    const second = await worker();
    await stopped(db, 'billing_month', 2);
    await first.kill();
    await statements.release();

    await stopped(db, 'issue_invoices', 1);
    const months = await db.billingPeriod.count({ where: { status: 'closed' } });
    t.equal(months, MONTHS.length, 'the other one closed every month');
    t.strictSame(await invoicesOf(db), [], 'and nothing is issued yet');
    await second.kill();
    await invoices.release();

    await closed;
    const expected = await invoicesOf(calm.db);
    t.ok(expected.length > 20, `${expected.length} invoices`);
    const days = await calm.db.$queryRaw<
      { day: string }[]
    >`SELECT DISTINCT issued_on::text AS day FROM invoices`;
    t.ok(
      days.every(({ day }) => day >= started && day <= today()),
      'dated by Redis and Postgres, not by a worker whose clock is a year ahead',
    );
    for (let again = 0; again < 2; again++) {
      await forgetTurns();
      await Promise.all([worker(), worker()]);
      await done();
    }
    t.strictSame(await statementsOf(db), await statementsOf(calm.db));
    t.strictSame(await invoicesOf(db), expected);
    const [entity] = await db.legalEntity.findMany();
    t.equal(Number(entity?.nextNumber), expected.length + 1, 'no number was lost on the way');
  },
);
