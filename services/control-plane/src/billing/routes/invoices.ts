import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import type { IssuedInvoice } from '@verdict/db/billing/invoices.js';
import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { invoiceHtml } from '@verdict/invoicing/invoice-html.js';
import { invoiceXml } from '@verdict/invoicing/invoice-xml.js';
import { xmlObstacle } from '@verdict/invoicing/xml-obstacle.js';
import { attach } from '@verdict/service-kit/attach.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { PAPER_POLICY } from '../../http/paper-policy.js';

/** The invoices as they were issued. */
export function invoiceRoutes(app: ControlPlaneApp): void {
  attach(app, BILLING_ROUTES.invoices, async (request) => {
    const invoices = await request.caller.account.invoices.list();
    return { success: true, invoices: invoices.map(show) };
  });

  attach(app, BILLING_ROUTES.invoice, async (request, reply) => {
    const invoice = await request.caller.account.invoices.find(request.params.number);
    if (!invoice) throw notFound('There is no invoice with this number.');
    const { format = 'json' } = request.query;
    if (format === 'json') return { success: true, invoice: show(invoice) };
    const obstacle = format === 'xml' && xmlObstacle(invoice);
    if (obstacle) throw notFound(obstacle);
    const { type, draw } = FILES[format];
    const content = await draw(invoice);
    // The reply types know JSON only.
    return reply
      .type(type)
      .header('content-disposition', `inline; filename="${invoice.number}.${format}"`)
      .header('content-security-policy', PAPER_POLICY)
      .send(content as never);
  });
}

const FILES = {
  html: { type: 'text/html; charset=utf-8', draw: invoiceHtml },
  pdf: { type: 'application/pdf', draw: drawPdf },
  xml: { type: 'application/xml; charset=utf-8', draw: invoiceXml },
};

/** Loaded on demand, because it costs half a second of every start and few need it. */
async function drawPdf(invoice: InvoiceDocument): Promise<Buffer> {
  const { invoicePdf } = await import('@verdict/invoicing/invoice-pdf.js');
  return invoicePdf(invoice);
}

const show = (invoice: IssuedInvoice) => ({
  number: invoice.number,
  kind: invoice.kind,
  month: invoice.month,
  issued_on: invoice.issued_on,
  due_on: invoice.due_on,
  currency: invoice.currency,
  lines: [...invoice.content.lines],
  subtotal: invoice.subtotal,
  tax_rate: invoice.tax_rate,
  tax: invoice.tax,
  total: invoice.total,
  corrects: invoice.corrects,
  ...(invoice.status !== null && { status: invoice.status }),
  checksum: invoice.checksum,
});
