import type { IssuedInvoice } from '@verdict/db/billing/invoices.js';
import type { UnissuedInvoice } from '@verdict/db/billing/unissued-invoices.js';
import { formatAmount } from '@verdict/domain/money.js';

/** An invoice that closing would issue, as a row of the output. */
export const expectedLine = ({ subtotal, tax, total, ...invoice }: UnissuedInvoice) => ({
  month: invoice.month,
  account: invoice.account_id,
  name: invoice.name,
  legal_entity: invoice.legal_entity,
  currency: invoice.currency,
  subtotal: formatAmount(subtotal, invoice.currency, ''),
  tax: formatAmount(tax, invoice.currency, ''),
  total: formatAmount(total, invoice.currency, ''),
  stopped: invoice.stopped,
});

/** An issued invoice as a row of the output. */
export const invoiceLine = (invoice: IssuedInvoice) => ({
  number: invoice.number,
  kind: invoice.kind,
  account: invoice.account_id,
  name: invoice.content.buyer.name,
  month: invoice.month,
  issued_on: invoice.issued_on,
  due_on: invoice.due_on,
  currency: invoice.currency,
  subtotal: formatAmount(invoice.subtotal, invoice.currency, ''),
  tax: formatAmount(invoice.tax, invoice.currency, ''),
  total: formatAmount(invoice.total, invoice.currency, ''),
  corrects: invoice.corrects,
  status: invoice.status,
  paid_on: invoice.paid_on,
  payment_ref: invoice.payment_ref,
});
