import { connectDatabase, type Database } from '@verdict/db/database/client.js';
import { countUnissued, noteClosing, readClosing, readUnissued } from '@verdict/db/database/observations.js';
import { addMonths, dayOf, monthOf } from '@verdict/domain/month.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import t, { type Test } from 'tap';
import { closeMonth } from '../src/close-month.js';
import { issueInvoices } from '../src/issue-invoices.js';
import { fillMonth } from './support/fill-month.js';

const plans = readPlans(inRoot('config/plans.json'));
const month = addMonths(monthOf(new Date()), -1);
const today = new Date();

/** A database of this many accounts, all of which are to be invoiced for the last month. */
async function setUp(t: Test, accounts: number, statementMs?: number): Promise<Database> {
  const database = await createDatabase();
  const db = connectDatabase({
    url: database.url,
    name: 'many accounts',
    ...(statementMs !== undefined && { statementMs }),
  });
  t.teardown(async () => {
    await db.$disconnect();
    await database.drop();
  });
  await fillMonth(database.url, month, accounts);
  return db;
}

const written = async (db: Database) => {
  const [row] = await db.$queryRaw<{ statements: number; invoices: number; last: number }[]>`
    SELECT (SELECT count(*)::int FROM statements) AS statements, (SELECT count(*)::int FROM invoices) AS invoices,
      (SELECT coalesce(max(sequence), 0)::int FROM invoices) AS last`;
  return row;
};

/** Ends a run after so many pages, as a kill between two commits does. */
const killAfter = (pages: number) => {
  let seen = 0;
  return () => {
    seen += 1;
    if (seen === pages) throw new Error('killed');
  };
};

t.test('closing and issuing commit page by page and continue where they were killed', async (t) => {
  const db = await setUp(t, 23);
  await t.rejects(closeMonth(db, month, plans, { limit: 5, onProgress: killAfter(2) }), /killed/);
  t.match(await written(db), { statements: 10, invoices: 0 }, 'two pages are written');
  t.match(await readClosing(db), { value: { month, done: 10, of: 23 } }, 'the operator sees how far it is');
  t.equal(await issueInvoices(db, today), 0, 'a month is invoiced when all of it is stated');

  const both = await Promise.all([1, 2].map(() => closeMonth(db, month, plans, { limit: 5 })));
  t.equal((both[0] ?? 0) + (both[1] ?? 0), 13, 'two workers write what is left, each statement once');
  t.equal(await closeMonth(db, month, plans, { limit: 5 }), 0);
  t.match(await readClosing(db), { value: { done: 23, of: 23 } });

  await t.rejects(issueInvoices(db, today, { limit: 5, onProgress: killAfter(3) }), /killed/);
  t.match(await written(db), { statements: 23, invoices: 15, last: 15 });
  t.match(await readUnissued(db), { value: { ready: 8, stopped: 0 } });
  await Promise.all([1, 2, 3].map(() => issueInvoices(db, today, { limit: 5 })));
  t.match(await written(db), { invoices: 23, last: 23 }, 'each once, without a gap');
  t.match(await readUnissued(db), { value: { ready: 0, stopped: 0 } });
  const rows = await db.$queryRaw<
    { account_id: string }[]
  >`SELECT account_id FROM invoices ORDER BY sequence`;
  const order = rows.map(({ account_id }) => account_id);
  t.strictSame(order, [...order].sort(), 'in the order of an undisturbed run');
});

t.test('a count of unissued invoices never covers a newer one', async (t) => {
  const db = await setUp(t, 7);
  await closeMonth(db, month, plans);
  t.match(await countUnissued(db), { ready: 7 });
  const waiting = await db.$transaction(async (other) => {
    await other.$queryRaw`SELECT issue_invoices(${dayOf(today)}::date, NULL, NULL, 7)::text`;
    await other.$executeRaw`UPDATE observations SET value = '{"ready": 0, "stopped": 0}'`;
    const count = countUnissued(db);
    await eventually(async () => {
      const [row] = await db.$queryRaw<{ waiting: boolean }[]>`
        SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting`;
      return row?.waiting === true;
    });
    return { count };
  });
  t.match(await waiting.count, { ready: 0 });
  t.match(await readUnissued(db), { value: { ready: 0, stopped: 0 } });
});

t.test('progress that arrives late does not cover the end of a closing', async (t) => {
  const db = await setUp(t, 1);
  await noteClosing(db, { month, done: 23, of: 23 });
  await noteClosing(db, { month, done: 15, of: 23 });
  t.match(await readClosing(db), { value: { month, done: 23, of: 23 } });
  await noteClosing(db, { month: addMonths(month, -1), done: 5, of: 23 });
  t.match(await readClosing(db), { value: { done: 5 } }, 'another month is shown from its beginning');
});

t.test('a stopped invoice is passed over, page after page', async (t) => {
  const db = await setUp(t, 12);
  await closeMonth(db, month, plans);
  await db.$executeRaw`UPDATE billing_profiles SET hold_reason = 'asked' WHERE account_id IN
    (SELECT account_id FROM billing_profiles ORDER BY 1 LIMIT 7)`;
  t.equal(await issueInvoices(db, today, { limit: 2 }), 5);
  t.match(await readUnissued(db), { value: { ready: 0, stopped: 7 } });
});

t.test('thousands of invoices need no longer statement than the pool allows', async (t) => {
  const db = await setUp(t, 3_000, 900);
  t.equal(await closeMonth(db, month, plans), 3_000);
  t.equal(await issueInvoices(db, today), 3_000);
});
