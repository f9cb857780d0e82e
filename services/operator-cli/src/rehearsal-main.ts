import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listInvoices } from '@verdict/db/billing/invoices.js';
import { readMonthReport } from '@verdict/db/billing/read-month-report.js';
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
import { rehearse } from './rehearsal/rehearse.js';

/** `node rehearsal-main.js FOLDER`: three month's ends in the empty database that DATABASE_URL names; prints one JSON line. */
try {
  const folder = process.argv[2] ?? 'rehearsal';
  await migrate(databaseUrl());
  const summary = await withMetering(async (metering) => {
    const months = await rehearse(metering, addMonths(monthOf(new Date()), -3));
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
