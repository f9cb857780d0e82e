import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { creditInvoice, listInvoices } from '@verdict/db/billing/invoices.js';
import { readMonthReport } from '@verdict/db/billing/read-month-report.js';
import type { Database } from '@verdict/db/database/client.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { accountingCsv } from '@verdict/invoicing/accounting-csv.js';
import { invoiceHtml } from '@verdict/invoicing/invoice-html.js';
import { invoicePdf } from '@verdict/invoicing/invoice-pdf.js';
import { monthReportHtml } from '@verdict/invoicing/month-report-html.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { inData, PAPERS } from '@verdict/local-stack/paths.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import type { Metering } from '@verdict/metering/metering.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { withMetering } from '../src/connect.js';
import { operatorAudit } from '../src/operator-audit.js';
import { rehearse } from '../src/rehearsal/rehearse.js';

/** Half of the smallest invoice is taken back, so that finance sees a document that corrects another. */
async function creditOne(db: Database, month: string): Promise<void> {
  const invoices = await listInvoices(db, { month });
  const [invoice] = invoices.filter(({ subtotal }) => subtotal > 1).sort((a, b) => a.subtotal - b.subtotal);
  if (!invoice) return;
  const { number, subtotal } = invoice;
  const reason = 'Half of the month was not usable';
  const amount = Math.floor(subtotal / 2);
  const credit = { number, amount, reason, author: 'operator:rehearsal', today: new Date() };
  await creditInvoice(db, credit, operatorAudit('billing.credited', number, { reason, amount }));
}

/** The documents of a month; returns how many differences reconciliation found. */
async function writeMonth(metering: Metering, month: string, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const found = await reconcile(metering, month);
  const invoices = await listInvoices(metering.db, { month });
  for (const invoice of invoices) {
    await writeFile(join(folder, `${invoice.number}.html`), invoiceHtml(invoice));
    await writeFile(join(folder, `${invoice.number}.pdf`), await invoicePdf(invoice));
  }
  await writeFile(join(folder, 'invoices.csv'), accountingCsv(invoices));
  await writeFile(
    join(folder, 'report.html'),
    monthReportHtml(await readMonthReport(metering.db, month), found),
  );
  return found.length;
}

/**
 * `npm run demo:month [-- FOLDER] [--keep]`: three month's ends of a dozen accounts, with invoices and reports to look at.
 * With --keep their database stays up until Ctrl-C, for `psql` and `verdict`.
 */
const { values, positionals } = parseArgs({ options: { keep: { type: 'boolean' } }, allowPositionals: true });
const [folder] = positionals;
const target = folder === undefined ? inData(PAPERS) : resolve(folder);
const [database, redis] = [await createDatabase(), await startRedis()];
Object.assign(process.env, { DATABASE_URL: database.url, REDIS_URL: redis.url });
try {
  const { months, invoices, differences } = await withMetering(async (metering) => {
    const rehearsed = await rehearse(metering, addMonths(monthOf(new Date()), -3));
    await creditOne(metering.db, rehearsed[0] ?? '');
    let found = 0;
    for (const month of rehearsed) found += await writeMonth(metering, month, join(target, month));
    return { months: rehearsed, invoices: await listInvoices(metering.db), differences: found };
  });
  const latest = join(target, months.at(-1) ?? '');
  process.stdout.write(`
  ${invoices.length} invoices and credit notes of ${months.join(', ')}; reconciliation found ${differences} differences.
  Reports   ${months.map((month) => join(target, month, 'report.html')).join('\n            ')}
  Invoices  ${join(latest, 'VRD-….pdf')} and .html
  Accounts  ${join(latest, 'invoices.csv')}
`);
  if (differences > 0) process.exitCode = 1;
  if (values.keep) {
    process.stdout.write(`  Try the month's commands and the SQL of docs/billing.md on it, until Ctrl-C:

  export DATABASE_URL='${database.url}' REDIS_URL='${redis.url}'
  npx verdict invoices list --issued ${monthOf(new Date())}
  psql "$DATABASE_URL" -c "SELECT * FROM billing.usage_monthly WHERE month = '${months.at(-1)}-01'"
`);
    await new Promise((resolve) => process.once('SIGINT', resolve));
  }
} finally {
  await redis.stop();
  await database.drop();
}
