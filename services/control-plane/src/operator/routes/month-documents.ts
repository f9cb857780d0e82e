import { Readable } from 'node:stream';
import { OPERATOR_ROUTES } from '@verdict/contracts/routes/operator-routes.js';
import { monthStatus } from '@verdict/db/billing/billing-months.js';
import { readInvoicePages } from '@verdict/db/billing/invoices.js';
import { readMonthReport } from '@verdict/db/billing/read-month-report.js';
import { readReconciliations } from '@verdict/db/database/observations.js';
import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { maskedName } from '@verdict/domain/masked-name.js';
import { isMonth } from '@verdict/domain/month.js';
import type { MonthReport } from '@verdict/domain/month-report.js';
import { accountingCsv } from '@verdict/invoicing/accounting-csv.js';
import { monthReportHtml } from '@verdict/invoicing/month-report-html.js';
import { attach } from '@verdict/service-kit/attach.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { PAPER_POLICY } from '../../http/paper-policy.js';
import { noteAct } from '../operator-acts.js';

/** The documents of a month: the report, and the invoices for accounting. */
export function monthDocumentsRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db } = deps;

  attach(app, OPERATOR_ROUTES.monthReport, async (request, reply) => {
    const { month } = request.params;
    if (!isMonth(month) || (await monthStatus(db, month)) === null) {
      throw notFound('There is no usage in this month.');
    }
    const [report, runs] = await Promise.all([readMonthReport(db, month), readReconciliations(db)]);
    const run = runs.find(({ name }) => name === month);
    await noteAct(deps, request, 'operator.report_read', month);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-disposition', `inline; filename="verdict-${month}.html"`)
      .header('content-security-policy', PAPER_POLICY)
      .send(monthReportHtml(masked(report), run ? { ranAt: run.observed_at, ...run.value } : null) as never);
  });

  attach(app, OPERATOR_ROUTES.monthInvoicesCsv, async (request, reply) => {
    const { month } = request.params;
    const pages = readInvoicePages(db, { issued: month });
    const first = isMonth(month) ? await pages.next() : { done: true as const, value: undefined };
    if (first.done) throw notFound('No invoice was issued in this month.');
    await noteAct(deps, request, 'operator.invoices_exported', month);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="invoices-${month}.csv"`)
      .send(Readable.from(csvOf(first.value, pages)) as never);
  });
}

/** One page of invoices in memory, however many were issued. */
async function* csvOf(
  first: readonly InvoiceDocument[],
  rest: AsyncIterable<readonly InvoiceDocument[]>,
): AsyncGenerator<string> {
  yield accountingCsv(first.map(withMaskedBuyer));
  for await (const page of rest) yield accountingCsv(page.map(withMaskedBuyer), { isFirst: false });
}

/** Company names are shown, addresses are masked. */
const masked = (report: MonthReport): MonthReport => ({
  ...report,
  top: report.top.map((row) => ({ ...row, name: maskedName(row.name) })),
  exceptions: report.exceptions.map((row) => ({ ...row, name: maskedName(row.name) })),
});

const withMaskedBuyer = (invoice: InvoiceDocument): InvoiceDocument => ({
  ...invoice,
  content: {
    ...invoice.content,
    buyer: { ...invoice.content.buyer, name: maskedName(invoice.content.buyer.name) },
  },
});
