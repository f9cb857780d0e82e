import {
  InvoiceParamsSchema,
  InvoiceQuerySchema,
  InvoiceReplySchema,
  InvoicesReplySchema,
} from '@verdict/contracts/dashboard/billing-api.js';
import type { IssuedInvoice } from '@verdict/db/billing/invoices.js';
import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { invoiceHtml } from '@verdict/invoicing/invoice-html.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { PAPER_POLICY } from '../../http/html-reply.js';

/** The invoices as they were issued. */
export function invoiceRoutes(app: ControlPlaneApp): void {
  app.get(
    '/billing/invoices/',
    {
      schema: {
        tags: ['billing'],
        summary: 'Invoices and credit notes, in the order of their numbers',
        description: 'Issued documents never change.',
        response: { 200: InvoicesReplySchema, ...errorReplies(401) },
      },
    },
    async (request) => {
      const invoices = await request.caller.account.invoices.list();
      return { success: true as const, invoices: invoices.map(show) };
    },
  );

  app.get(
    '/billing/invoices/:number/',
    {
      schema: {
        tags: ['billing'],
        summary: 'One invoice, as JSON, as a page or as a PDF',
        description: 'Choose with `format`.',
        params: InvoiceParamsSchema,
        querystring: InvoiceQuerySchema,
        response: { 200: InvoiceReplySchema, ...errorReplies(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const invoice = await request.caller.account.invoices.find(request.params.number);
      if (!invoice) throw notFound('There is no invoice with this number.');
      const { format = 'json' } = request.query;
      if (format === 'json') return { success: true as const, invoice: show(invoice) };
      const content = format === 'html' ? invoiceHtml(invoice) : await drawPdf(invoice);
      // The reply types know JSON only.
      return reply
        .type(format === 'html' ? 'text/html; charset=utf-8' : 'application/pdf')
        .header('content-disposition', `inline; filename="${invoice.number}.${format}"`)
        .header('content-security-policy', PAPER_POLICY)
        .send(content as never);
    },
  );
}

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
