import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { creditInvoice, listInvoices } from '@verdict/db/billing/invoices.js';
import { readMonthReport } from '@verdict/db/billing/read-month-report.js';
import type { Database } from '@verdict/db/database/client.js';
import { migrate } from '@verdict/db/database/migrate.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { accountingCsv } from '@verdict/invoicing/accounting-csv.js';
import { invoiceHtml } from '@verdict/invoicing/invoice-html.js';
import { invoicePdf } from '@verdict/invoicing/invoice-pdf.js';
import { monthReportHtml } from '@verdict/invoicing/month-report-html.js';
import { reconcile } from '@verdict/metering/reconcile.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { databaseUrl } from './config.js';
import { withMetering } from './connect.js';
import { operatorAudit } from './operator-audit.js';
import { rehearse } from './rehearsal/rehearse.js';

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

/** `node rehearsal-main.js FOLDER`: three month's ends in the empty database that DATABASE_URL names; prints one JSON line. */
try {
  const folder = process.argv[2] ?? 'rehearsal';
  await migrate(databaseUrl());
  const summary = await withMetering(async (metering) => {
    const months = await rehearse(metering, addMonths(monthOf(new Date()), -3));
    await creditOne(metering.db, months[0] ?? '');
    let differences = 0;
    for (const month of months) {
      const into = join(folder, month);
      await mkdir(into, { recursive: true });
      const found = await reconcile(metering, month);
      differences += found.length;
      const invoices = await listInvoices(metering.db, { month });
      for (const invoice of invoices) {
        await writeFile(join(into, `${invoice.number}.html`), invoiceHtml(invoice));
        await writeFile(join(into, `${invoice.number}.pdf`), await invoicePdf(invoice));
      }
      await writeFile(join(into, 'invoices.csv'), accountingCsv(invoices));
      await writeFile(
        join(into, 'report.html'),
        monthReportHtml(await readMonthReport(metering.db, month), found),
      );
    }
    const invoices = await listInvoices(metering.db);
    return { folder, months, invoices: invoices.length, differences };
  });
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  if (summary.differences > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`the rehearsal failed: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
