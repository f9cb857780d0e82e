import { readBillingProfile, setBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import { creditInvoice, findInvoice, listInvoices } from '@verdict/db/billing/invoices.js';
import { listLegalEntities } from '@verdict/db/billing/legal-entities.js';
import { readMonthReport } from '@verdict/db/billing/read-month-report.js';
import { settleInvoice, unsettleInvoice } from '@verdict/db/billing/settle-invoice.js';
import { statementsOfMonth } from '@verdict/db/billing/statement-reading.js';
import { listUnissued, type UnissuedInvoice } from '@verdict/db/billing/unissued-invoices.js';
import { readUsageEvents } from '@verdict/db/billing/usage-events.js';
import { connectDatabase, type Database } from '@verdict/db/database/client.js';
import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { addMonths, monthBounds, monthOf } from '@verdict/domain/month.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { cloudEvent, lagoEvent } from '@verdict/domain/usage-event.js';
import { accountingCsv } from '@verdict/invoicing/accounting-csv.js';
import { invoiceHtml } from '@verdict/invoicing/invoice-html.js';
import { invoicePdf } from '@verdict/invoicing/invoice-pdf.js';
import { monthReportHtml } from '@verdict/invoicing/month-report-html.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { closeMonth } from '@verdict/metering/close-month.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import { issueInvoices } from '@verdict/metering/issue-invoices.js';
import type { Metering } from '@verdict/metering/metering.js';
import { previewInvoices } from '@verdict/metering/preview-invoices.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import t, { type Test } from 'tap';
import { exportForStripe, exportStatements } from '../src/export-statements.js';
import { REHEARSAL_ACCOUNTS } from '../src/rehearsal/rehearsal-accounts.js';
import { REHEARSAL_PLANS, REHEARSAL_PLANS_FILE } from '../src/rehearsal/rehearsal-plans.js';
import { rehearse } from '../src/rehearsal/rehearse.js';
import { accountIdOf, seedAccounts, seedLateChecks, seedMonth } from '../src/rehearsal/seed-rehearsal.js';

/** Months in the past of every clock. */
const FIRST = addMonths(monthOf(new Date()), -3);
const MONTHS = [0, 1, 2].map((index) => addMonths(FIRST, index));

const server = await startRedis();
t.teardown(() => server.stop());

async function setUp(t: Test): Promise<Metering & { url: string }> {
  const database = await createDatabase();
  const db = connectDatabase({ url: database.url, name: 'month-end' });
  const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'month-end');
  await redis.connect();
  const deadLetters = createDeadLetters({ connection: redis, onError: () => {} });
  t.teardown(async () => {
    await deadLetters.close();
    redis.disconnect();
    await db.$disconnect();
    await database.drop();
  });
  return { db, redis, deadLetters, shards: 1, url: database.url };
}

const checksums = async (db: Database) =>
  (await listInvoices(db)).map(({ number, checksum }) => `${number} ${checksum}`);

const undisturbed = await setUp(t);
await rehearse(undisturbed, FIRST);

/** The same bill, worked out another way: day by day from the history, and with Postgres's own rounding. */
const independently = (db: Database, month: string) => db.$queryRaw<
  { account_id: string; subtotal: number; tax: number; entitled: number; over: number }[]
>`
  WITH prices (plan, checks, price, over_price) AS (
    VALUES ('free', 100, 0, 0), ('starter', 500, 1900, 0), ('growth', 1500, 9900, 1960), ('scale', 5000, 49900, 1235)
  ), months AS (
    SELECT (${month} || '-01')::timestamp - n * interval '1 month' AS m FROM generate_series(0, 1) n
  ), days AS (
    SELECT a.id AS account_id, m, day::date AS day, plan_in_force(a.id, (day + interval '1 day' - interval '1 microsecond') AT TIME ZONE 'UTC') AS plan
    FROM accounts a, months, generate_series(m, m + interval '1 month' - interval '1 day', interval '1 day') AS day
  ), lengths AS (
    SELECT m, count(DISTINCT day) AS days FROM days GROUP BY 1
  ), fees AS (
    SELECT account_id, m, sum(fee) AS fee FROM (
      SELECT d.account_id, d.m, round(p.price::numeric * count(*) / l.days) AS fee
      FROM days d JOIN prices p USING (plan) JOIN lengths l USING (m) GROUP BY d.account_id, d.m, d.plan, p.price, l.days) d
    GROUP BY 1, 2
  ), largest AS (
    SELECT DISTINCT ON (d.account_id, d.m) d.account_id, d.m, p.checks, p.over_price, p.price
    FROM days d JOIN prices p USING (plan) ORDER BY d.account_id, d.m, p.checks DESC
  ), included AS (
    SELECT account_id, m, sum(checks) FILTER (WHERE price > 0) AS paid, max(checks) FILTER (WHERE price = 0) AS free FROM (
      SELECT d.account_id, d.m, p.price, CASE p.price WHEN 0 THEN p.checks
        ELSE round(p.checks::numeric * count(*) / l.days) END AS checks
      FROM days d JOIN prices p USING (plan) JOIN lengths l USING (m)
      GROUP BY d.account_id, d.m, d.plan, p.price, p.checks, l.days) i GROUP BY 1, 2
  ), terms AS (
    SELECT l.*, f.fee, least(coalesce(i.paid, 0) + coalesce(i.free, 0), l.checks) AS entitled
    FROM largest l JOIN fees f USING (account_id, m) JOIN included i USING (account_id, m)
  ), late AS (
    SELECT u.account_id, sum(
      round(greatest(n.after - t.checks, 0) * t.over_price::numeric / 1000) - round(greatest(n.before - t.checks, 0) * t.over_price::numeric / 1000)
      + CASE WHEN t.price > t.fee AND t.checks > t.entitled THEN
          round((t.price - t.fee) * greatest(least(n.after, t.checks) - t.entitled, 0) / (t.checks - t.entitled)::numeric)
          - round((t.price - t.fee) * greatest(least(n.before, t.checks) - t.entitled, 0) / (t.checks - t.entitled)::numeric)
        ELSE 0 END) AS amount
    FROM (SELECT account_id, date_trunc('month', hour AT TIME ZONE 'UTC') AS m, sum(checks) AS checks FROM usage_adjustments
          WHERE billed_month = (${month} || '-01')::date GROUP BY 1, 2) u
    JOIN terms t USING (account_id, m)
    CROSS JOIN LATERAL (
      SELECT count(*) + coalesce((SELECT sum(m.checks) FROM manual_adjustments m
        WHERE m.account_id = u.account_id AND m.billed_month = u.m), 0) AS after
      FROM check_logs c WHERE c.account_id = u.account_id
        AND c.created_at >= u.m AT TIME ZONE 'UTC' AND c.created_at < (u.m + interval '1 month') AT TIME ZONE 'UTC') a
    CROSS JOIN LATERAL (SELECT a.after, a.after - u.checks AS before) n GROUP BY 1
  ), counts AS (
    SELECT a.id AS account_id,
      (SELECT count(*) FROM check_logs l WHERE l.account_id = a.id
         AND l.created_at >= (${month} || '-01')::timestamp AT TIME ZONE 'UTC'
         AND l.created_at < ((${month} || '-01')::timestamp + interval '1 month') AT TIME ZONE 'UTC')
      - coalesce((SELECT sum(u.checks) FROM usage_adjustments u WHERE u.account_id = a.id
          AND date_trunc('month', u.hour AT TIME ZONE 'UTC') = (${month} || '-01')::timestamp), 0)
      + coalesce((SELECT sum(m.checks) FROM manual_adjustments m WHERE m.account_id = a.id
          AND m.billed_month = (${month} || '-01')::date), 0) AS billable,
      coalesce((SELECT sum(m.amount) FROM manual_adjustments m WHERE m.account_id = a.id
          AND m.billed_month = (${month} || '-01')::date), 0) AS by_hand
    FROM accounts a
  ), sums AS (
    SELECT c.account_id, t.entitled, greatest(c.billable - t.entitled, 0) AS over,
      greatest(0, t.fee + round(greatest(c.billable - t.checks, 0) * t.over_price::numeric / 1000)
        + coalesce(l.amount, 0) + c.by_hand
        + CASE WHEN least(c.billable, t.checks) > t.entitled AND t.price > t.fee
          THEN round((t.price - t.fee) * (least(c.billable, t.checks) - t.entitled) / (t.checks - t.entitled)::numeric)
          ELSE 0 END) AS subtotal
    FROM counts c JOIN terms t ON t.account_id = c.account_id AND t.m = (${month} || '-01')::timestamp
    LEFT JOIN late l ON l.account_id = c.account_id
  )
  SELECT s.account_id, s.subtotal::float8 AS subtotal, s.entitled::float8 AS entitled, s.over::float8 AS over,
    round(s.subtotal * coalesce(p.tax_rate, 0) / 10000.0)::float8 AS tax
  FROM sums s LEFT JOIN billing_profiles p USING (account_id) ORDER BY 1`;

t.test('every bill of three months is right to the cent by another calculation', async (t) => {
  const { db } = undisturbed;
  let billed = 0;
  for (const month of MONTHS) {
    const statements = await db.$queryRaw<unknown[]>`
      SELECT account_id, subtotal::float8 AS subtotal, entitled::float8 AS entitled, over::float8 AS over, tax::float8 AS tax
      FROM statements WHERE month = (${month} || '-01')::date ORDER BY 1`;
    t.strictSame(statements, await independently(db, month), month);
    t.equal(statements.length, REHEARSAL_ACCOUNTS.length);
    t.strictSame(
      await reconcile(undisturbed, month),
      [],
      `${month}: logs, rollups, statements and invoices agree`,
    );
    billed += (await listInvoices(db, { month })).length;
  }
  t.ok(billed > 24, `${billed} invoices`);
});

t.test('what the scenario is about is on the bills', async (t) => {
  const { db } = undisturbed;
  const bill = async (name: string, index: number) => {
    const account = REHEARSAL_ACCOUNTS.find((one) => one.name === name);
    if (!account) throw new Error(name);
    const [found] = await listInvoices(db, { month: MONTHS[index] ?? '', accountId: accountIdOf(account) });
    return found;
  };
  const planLines = (invoice: Awaited<ReturnType<typeof bill>>) =>
    invoice?.content.lines.flatMap((line) => (line.kind === 'plan' ? [`${line.plan} ${line.days}`] : []));
  const days = (index: number) =>
    monthBounds(addMonths(FIRST, index + 1)).start.getTime() -
    monthBounds(addMonths(FIRST, index)).start.getTime();
  const length = (index: number) => days(index) / 86_400_000;
  t.strictSame(planLines(await bill('Café Łódź Sp. z o.o.', 1)), ['starter 14', `growth ${length(1) - 14}`]);
  t.strictSame(planLines(await bill('Fjord Media AS', 1)), [`starter ${length(1)}`], 'from the first day');
  t.strictSame(planLines(await bill('Garden & Söhne KG', 1)), [`starter ${length(1) - 1}`, 'scale 1']);
  t.strictSame(planLines(await bill('Garden & Söhne KG', 2)), [`scale ${length(2)}`], 'a downgrade waits');
  t.strictSame(planLines(await bill('Lumen Energie GmbH', 0)), [
    'starter 14',
    `growth ${length(0) - 15}`,
    'scale 1',
  ]);
  t.strictSame(planLines(await bill('Delta Ελλάς Α.Ε.', 0)), [`growth ${length(0)}`]);
  t.equal(await bill('Delta Ελλάς Α.Ε.', 1), undefined, 'free: nothing to invoice');
  t.match(await bill('Hotel Ibis Negro SL', 1), { content: { adjusted: 37 } });
  t.match((await bill('Iris Labs, Inc.', 1))?.content.lines.at(-1), { kind: 'adjustment', amount: -235 });
  t.match(await bill('Jolie Mode SARL', 1), { tax: 0, content: { tax_note: 'Reverse charge' } });
  const forward = { kind: 'carried_forward', amount: 89_100 };
  t.match((await bill('Lumen Energie GmbH', 2))?.content.lines.at(-1), forward, 'more credit than fee');
  t.match(await bill('Lumen Energie GmbH', 2), { kind: 'invoice', total: 0 });
  t.ok((await bill('Edda Bank AG', 2))?.content.lines.some(({ kind }) => kind === 'overage'));
});

t.test('closing twice, on two workers and killed in between ends in the same invoices', async (t) => {
  const metering = await setUp(t);
  const { db } = metering;
  await seedAccounts(db, FIRST);
  for (const [index, month] of MONTHS.entries() as ArrayIterator<[0 | 1 | 2, string]>) {
    await seedMonth(db, month, index);
    // A foreign statement blocks the closing, and its connection is cut.
    await killed(metering, 'state_billing_month', () => closeMonth(db, month, REHEARSAL_PLANS));
    t.equal(
      (await db.statement.findMany({ where: { month: new Date(`${month}-01`) } })).length,
      0,
      'all or nothing',
    );
    const both = await Promise.all(
      [1, 2].map(() => closeMonths(metering, { plans: REHEARSAL_PLANS, graceMs: 0, month })),
    );
    t.equal(
      both.flat().filter((one) => one.outcome === 'closed' && one.statements > 0).length,
      1,
      'one of two workers writes the statements',
    );
    const today = monthBounds(month).end;
    await killed(metering, 'issue_invoices', () => issueInvoices(db, today));
    await Promise.all([1, 2, 3].map(() => issueInvoices(db, today)));
    t.equal(await closeMonth(db, month, REHEARSAL_PLANS), 0);
    t.equal(await issueInvoices(db, today), 0);
    await seedLateChecks(db, month, index);
  }
  t.strictSame(await checksums(db), await checksums(undisturbed.db));
  const numbers = (await listInvoices(db)).map(({ number }) => Number(number.slice(4)));
  t.strictSame(
    numbers,
    numbers.map((_, i) => i + 1),
    'without gaps',
  );
});

/** Runs something that waits for a lock of ours, and cuts its connection while it waits. */
async function killed(
  { url, db }: Metering & { url: string },
  marker: string,
  run: () => Promise<unknown>,
): Promise<void> {
  const holder = connectDatabase({ url, name: 'holder', connectionsMax: 1 });
  await holder.$executeRawUnsafe('BEGIN');
  await holder.$executeRawUnsafe('LOCK TABLE statements, invoices IN EXCLUSIVE MODE');
  const outcome = run().then(
    () => 'finished',
    () => 'cut',
  );
  try {
    await eventually(async () => {
      const cut = await db.$queryRaw<{ cut: boolean }[]>`
        SELECT pg_terminate_backend(pid) AS cut FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%${marker}%`}
          AND pid <> pg_backend_pid()`;
      return cut.length > 0;
    });
  } finally {
    await holder.$executeRawUnsafe('ROLLBACK');
    await holder.$disconnect();
  }
  if ((await outcome) !== 'cut') throw new Error(`${marker} was not cut`);
}

t.test(
  'a preview equals what is issued, and a hold or a missing field stops one invoice alone',
  async (t) => {
    const metering = await setUp(t);
    const { db } = metering;
    await seedAccounts(db, FIRST);
    await seedMonth(db, FIRST, 0);
    await seedMonth(db, MONTHS[1] ?? '', 1);
    const change = (name: string, changes: Parameters<typeof setBillingProfile>[2]) => {
      const account = REHEARSAL_ACCOUNTS.find((one) => one.name === name);
      if (!account) throw new Error(name);
      const audit = { id: `aud_${Math.random()}`, userId: null, ip: null, requestId: null, action: 'test' };
      return setBillingProfile(db, accountIdOf(account), changes, audit);
    };
    await change('Edda Bank AG', { hold_reason: 'PO number to come' });
    await change('Lumen Energie GmbH', { address: ' \n' });
    await change('Bolt Cycles Ltd', { tax_note: null });
    await change('Aster Reisen GmbH', { tax_note: null });
    const written = () => db.$queryRaw<unknown[]>`
    SELECT (SELECT count(*)::int FROM statements) AS statements, (SELECT count(*)::int FROM invoices) AS invoices,
      (SELECT count(*)::int FROM manual_adjustments WHERE billed_month IS NULL) AS adjustments,
      (SELECT count(*)::int FROM billing_periods WHERE status = 'closed') AS closed,
      (SELECT next_number::int FROM legal_entities) AS number`;
    const before = await written();
    const preview = await previewInvoices(metering, REHEARSAL_PLANS);
    t.strictSame(await written(), before, 'nothing is written');
    t.ok(preview.every(({ month }) => month === FIRST));
    await t.rejects(previewInvoices(metering, REHEARSAL_PLANS, MONTHS[1]), /depends on .*still open/);
    await t.rejects(
      previewInvoices(metering, parsePlans({ free: REHEARSAL_PLANS_FILE.free })),
      /lacks growth/,
    );
    const waiting = [
      ['Bolt Cycles Ltd', 'no tax note that explains 0 % tax'],
      ['Edda Bank AG', 'on hold: PO number to come'],
      ['Lumen Energie GmbH', 'no billing address'],
    ];
    const stopped = (rows: readonly UnissuedInvoice[]) =>
      rows.flatMap((row) => (row.stopped === null ? [] : [[row.name, row.stopped]])).sort();
    t.strictSame(stopped(preview), waiting, 'a tax above 0 needs no note');

    await closeMonth(db, FIRST, REHEARSAL_PLANS);
    t.strictSame(await previewInvoices(metering, REHEARSAL_PLANS, FIRST), preview, 'after closing as before');
    await issueInvoices(db, monthBounds(FIRST).end);
    const sums = (rows: readonly { account_id: string; subtotal: number; tax: number; total: number }[]) =>
      rows.map(({ account_id, subtotal, tax, total }) => [account_id, subtotal, tax, total]);
    const expected = preview.filter((row) => row.stopped === null);
    t.ok(expected.length > 3);
    t.strictSame(sums(await listInvoices(db)), sums(expected), 'the others go on');
    t.strictSame(stopped(await listUnissued(db)), waiting);
    const named = (await readMonthReport(db, FIRST)).exceptions.map(({ what }) => what);
    t.ok(named.includes('has no invoice yet: on hold: PO number to come'), 'the report says so');
    t.strictSame(await reconcile(metering, FIRST), [], 'no number is lost');

    await change('Edda Bank AG', { hold_reason: null });
    await change('Lumen Energie GmbH', { address: 'Solarweg 1' });
    const later = new Date(monthBounds(FIRST).end.getTime() + 9 * 86_400_000);
    t.equal(await issueInvoices(db, later), 2, 'released ones are issued later');
    t.equal(await issueInvoices(db, later), 0);
    const late = (await listInvoices(db)).slice(-2);
    const day = later.toISOString().slice(0, 10);
    t.match(late, [
      { month: FIRST, issued_on: day },
      { month: FIRST, issued_on: day },
    ]);
  },
);

/** Halves of it, each with its own tax, come to a cent more. */
const isStarter = ({ subtotal, tax }: InvoiceDocument) => subtotal === 1900 && tax === 361;

t.test(
  'a credit note takes back a part and never more than is left; nothing issued is changed',
  async (t) => {
    const { db } = undisturbed;
    const invoice = (await listInvoices(db)).find(isStarter);
    if (!invoice) throw new Error('no invoice');
    const audit = (id: string) => ({
      id,
      userId: null,
      ip: null,
      requestId: null,
      action: 'billing.credited',
    });
    const credit = (amount: number | null, id: string) =>
      creditInvoice(
        db,
        { number: invoice.number, amount, reason: 'A test', author: 'operator:t', today: new Date() },
        audit(id),
      );
    const first = await findInvoice(db, await credit(950, 'aud_credit_1'));
    t.match(first, {
      kind: 'credit_note',
      corrects: invoice.number,
      subtotal: -950,
      checksum: /^[0-9a-f]{64}$/,
    });
    const rest = await findInvoice(db, await credit(null, 'aud_credit_2'));
    t.equal(rest?.subtotal, -(invoice.subtotal - 950));
    t.equal((first?.tax ?? 0) + (rest?.tax ?? 0), -invoice.tax, 'all of the tax, and not a cent more');
    await t.rejects(credit(1, 'aud_credit_3'), /0.00 EUR left to credit/);
    t.strictSame(await reconcile(undisturbed, invoice.month), []);
    const report = await readMonthReport(db, invoice.month);
    t.match(report.totals, { corrections: 2, corrected: -invoice.subtotal });
    t.match(monthReportHtml(report, []), /2 later credit notes take back [\d,]+\.\d\d EUR before tax/);
    t.match(first && invoiceHtml(first), /Credited to[\s\S]*Nothing to pay/);
    const [entity] = await listLegalEntities(db);
    t.equal(entity?.next_number, (await listInvoices(db)).length + 1, 'a refusal takes no number');
    await t.rejects(db.$executeRaw`UPDATE invoices SET total = 0`, /immutable/);
    await t.rejects(db.$executeRaw`DELETE FROM invoices`, /immutable/);
    await t.rejects(db.$executeRaw`UPDATE manual_adjustments SET amount = 1`, /add its opposite/);
  },
);

t.test('an invoice is open, then overdue, until it is settled once; each was told of once', async (t) => {
  const { db } = undisturbed;
  const told = await db.$queryRaw<unknown[]>`
    SELECT i.number FROM invoices i LEFT JOIN webhook_events e ON e.type = 'invoice.issued'
      AND e.data ->> 'number' = i.number AND e.account_id = i.account_id
    GROUP BY i.number HAVING count(e.id) <> 1`;
  t.strictSame(told, []);

  const audit = (id: string) => ({ id, userId: null, ip: null, requestId: null, action: 'test' });
  const [invoice] = await listInvoices(db, { month: FIRST, status: 'overdue' });
  if (!invoice) throw new Error('no invoice');
  const { number, account_id, currency, checksum } = invoice;
  const fields = {
    kind: 'invoice',
    account_id,
    month: '2020-01-01',
    currency,
    subtotal: 1,
    tax_rate: 0,
    tax: 0,
  };
  const today = new Date().toISOString().slice(0, 10);
  const fresh = { ...fields, issued_on: today, total: 1, document: { buyer: { name: 'X' }, lines: [] } };
  await db.$queryRaw`SELECT write_invoice('verdict', ${JSON.stringify(fresh)}::jsonb)`;
  t.match(await listInvoices(db, { status: 'open' }), [{ month: '2020-01', paid_on: null }]);

  const pay = (ref: string, id: string) =>
    settleInvoice(db, { number, on: '2026-11-03', ref }, audit(`aud_settle_${id}`));
  await Promise.all([pay('SEPA 1', '1'), pay('SEPA 1', '2')]);
  const paid = { status: 'paid', paid_on: '2026-11-03', payment_ref: 'SEPA 1', checksum };
  t.match(await findInvoice(db, number), paid);
  t.equal(await db.auditEvent.count({ where: { id: { startsWith: 'aud_settle_' } } }), 1, 'noted once');
  await t.rejects(pay('SEPA 2', '3'), /was paid on 2026-11-03 \(SEPA 1\)/);
  const seen = await db.$queryRaw`SELECT status, payment_ref FROM billing.invoices WHERE number = ${number}`;
  t.strictSame(seen, [{ status: 'paid', payment_ref: 'SEPA 1' }]);
  await t.rejects(
    db.$executeRaw`UPDATE invoices SET total = 0, paid_on = NULL, payment_ref = NULL WHERE number = ${number}`,
    /immutable/,
    'the document cannot change with its payment',
  );
  t.strictSame(await reconcile(undisturbed, FIRST), []);
  await unsettleInvoice(db, number, audit('aud_unsettle'));
  t.match(await findInvoice(db, number), { status: 'overdue', paid_on: null, payment_ref: null });

  const note = (await listInvoices(db)).find(({ corrects }) => corrects);
  if (!note?.corrects) throw new Error('no credit note');
  t.equal(note.status, null);
  t.match(await findInvoice(db, note.corrects), { status: 'paid', paid_on: null }, 'credited in full');
  const onNote = { number: note.number, on: '2026-11-03', ref: 'x' };
  await t.rejects(settleInvoice(db, onNote, audit('aud_note')), /credit note/);
});

t.test('more credited than charged is found', async (t) => {
  const metering = await setUp(t);
  const { db } = metering;
  await seedAccounts(db, FIRST);
  await seedMonth(db, FIRST, 0);
  await closeMonth(db, FIRST, REHEARSAL_PLANS);
  await issueInvoices(db, new Date());
  const invoice = (await listInvoices(db)).find(isStarter);
  if (!invoice) throw new Error('no invoice');
  for (const tax of [-181, -181]) {
    const { account_id, month, issued_on, currency, tax_rate, number: corrects } = invoice;
    const fields = { kind: 'credit_note', account_id, month: `${month}-01`, issued_on, currency, corrects };
    const document = { buyer: { name: 'X' }, lines: [] };
    const note = { ...fields, subtotal: -950, tax_rate, tax, total: tax - 950, document };
    await db.$queryRaw`SELECT write_invoice('verdict', ${JSON.stringify(note)}::jsonb)`;
  }
  t.match(await reconcile(metering, FIRST), [
    { kind: 'credit', accountId: invoice.number, expected: 2261, found: 2262 },
  ]);
});

t.test('an invoice that was changed, or is missing, is found', async (t) => {
  const metering = await setUp(t);
  const { db } = metering;
  await seedAccounts(db, FIRST);
  await seedMonth(db, FIRST, 0);
  await closeMonth(db, FIRST, REHEARSAL_PLANS);
  await issueInvoices(db, new Date());
  await db.$executeRaw`ALTER TABLE invoices DISABLE TRIGGER invoices_immutable`;
  await db.$executeRaw`UPDATE invoices SET total = total + 1 WHERE sequence = 2`;
  await db.$executeRaw`DELETE FROM invoices WHERE sequence = 3`;
  t.match(await reconcile(metering, FIRST), [
    { kind: 'invoice', accountId: 'VRD-000002' },
    { kind: 'invoice', accountId: 'VRD-000003' },
  ]);
});

t.test(
  'papers: the same invoice gives the same PDF, the report fits the figures, the CSV keeps its signs',
  async (t) => {
    const { db } = undisturbed;
    const invoices = await listInvoices(db, { month: MONTHS[1] ?? '' });
    const [invoice] = invoices;
    if (!invoice) throw new Error('no invoice');
    const pdf = await invoicePdf(invoice);
    t.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    t.ok(pdf.equals(await invoicePdf(invoice)), 'byte for byte');
    const report = await readMonthReport(db, MONTHS[1] ?? '');
    const sums = invoices
      .filter(({ corrects }) => corrects === null)
      .reduce((sum, { subtotal }) => sum + subtotal, 0);
    t.equal(report.totals.subtotal, sums);
    t.match(monthReportHtml(report, []), /agree[\s\S]*Garden &amp; Söhne KG/);
    const csv = accountingCsv(await listInvoices(db, { month: FIRST }));
    t.match(
      csv,
      /^number,kind,corrects,legal_entity,issued_on,due_on,month,period_from,period_to,account,customer,name/,
    );
    t.match(csv, /credit_note[\s\S]*,-\d+\.\d\d,19 %,VAT,-\d+\.\d\d,/);
    const thisMonth = monthOf(new Date());
    const issued = await listInvoices(db, { issued: thisMonth });
    t.ok(issued.length > 0 && issued.every(({ issued_on }) => issued_on.startsWith(thisMonth)));
    t.ok(
      issued.some(({ corrects, month }) => corrects && month !== thisMonth),
      'a credit note is booked when it is issued',
    );
    const sheet = accountingCsv(issued, { excel: true });
    t.match(sheet, /^\uFEFFnumber;kind;/);
    t.match(
      sheet,
      /credit_note;VRD-\d+;verdict;[\d-]+;;[\s\S]*;-\d+,\d\d;19 %;VAT;/,
      'no due date on a credit note',
    );
  },
);

t.test('a month leaves for other programs whole, and for Stripe as one event a customer', async (t) => {
  const { db } = undisturbed;
  const month = MONTHS[1] ?? '';
  const statements = await statementsOfMonth(db, month);
  const whole = await exportStatements(db, month);
  const lines = whole
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.strictSame(
    lines.map(({ account_id, total, checksum }) => [account_id, total, checksum]),
    statements.map(({ account_id, total, checksum }) => [account_id, total, checksum]),
  );
  t.ok(
    lines.some(({ invoice }) => /^VRD-/.test(invoice)),
    'with the number of its invoice',
  );

  const billable = statements.filter(({ used, adjusted }) => used + adjusted !== 0);
  const [first, second] = billable;
  if (!first || !second) throw new Error('nobody used anything');
  const { external_ref: customer } = await readBillingProfile(db, first.account_id);
  const audit = { id: 'aud_stripe', userId: null, ip: null, requestId: null, action: 'billing.profile_set' };
  await setBillingProfile(db, second.account_id, { external_ref: null }, audit);
  const by = { author: 'operator:t', now: monthBounds(month).end, again: false };
  // A customer with two accounts.
  const third = billable[2];
  if (third)
    await setBillingProfile(db, third.account_id, { external_ref: customer }, { ...audit, id: 'aud_shared' });
  const { text, leftOut } = await exportForStripe(db, month, by);
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const event = events.find(({ identifier }) => identifier === `verdict-${month}-${first.account_id}`);
  t.match(event, {
    event_name: 'verdict_checks',
    payload: { stripe_customer_id: customer, value: String(first.used + first.adjusted) },
  });
  const { start, end } = monthBounds(month);
  t.ok(event.timestamp * 1000 >= start.getTime() && event.timestamp * 1000 < end.getTime(), 'in its month');
  t.equal(events.filter(({ payload }) => payload.stripe_customer_id === customer).length, 2);
  t.equal(new Set(events.map(({ identifier }) => identifier)).size, events.length);
  t.equal(events.length, billable.length - 1);
  t.match(leftOut, [{ account: second.account_id, why: /has no Stripe customer/ }], 'and named');
  await t.rejects(exportForStripe(db, month, by), /operator:t exported .*--again/);
  t.equal((await exportForStripe(db, month, { ...by, again: true })).text, text);
  const tooLate = new Date(end.getTime() + 35 * 86_400_000);
  await t.rejects(exportForStripe(db, month, { ...by, now: tooLate, again: true }), /older than 35 days/);
});

t.test('usage leaves as events that add up, with the difference for what came later', async (t) => {
  const { db } = undisturbed;
  const counted = async () => {
    const [row] = await db.$queryRaw<{ n: number }[]>`
      SELECT count(*)::int AS n FROM check_logs WHERE created_at >= ${monthBounds(FIRST).start}
        AND created_at < ${monthBounds(FIRST).end}`;
    return row?.n;
  };
  const sum = (events: readonly { checks: number }[]) =>
    events.reduce((total, { checks }) => total + checks, 0);
  const events = await readUsageEvents(db, FIRST);
  t.equal(sum(events), await counted());
  t.strictSame(await readUsageEvents(db, FIRST), events, 'the same when asked again');
  await db.$executeRaw`INSERT INTO usage_adjustments (account_id, key_id, hour, decision, checks, reason)
    SELECT account_id, key_id, hour, decision, 5, 'late' FROM usage_hourly WHERE hour < ${monthBounds(FIRST).end} LIMIT 1`;
  const later = await readUsageEvents(db, FIRST);
  t.equal(later.length, events.length + 1);
  t.equal(sum(later) - sum(events), 5);
  const added = later.find(({ number }) => number === 2);
  if (!added) throw new Error('no difference');
  t.match(cloudEvent(added), { specversion: '1.0', id: /-2$/, source: 'verdict', data: { checks: 5 } });
  t.match(lagoEvent(added), { transaction_id: cloudEvent(added).id, properties: { checks: 5 } });
});

t.test('every column of every billing view says what it means', async (t) => {
  const { db } = undisturbed;
  const bare = await db.$queryRaw<{ name: string }[]>`
    SELECT c.relname || '.' || a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'billing'::regnamespace AND a.attnum > 0 AND col_description(c.oid, a.attnum) IS NULL`;
  t.strictSame(bare, []);
});
