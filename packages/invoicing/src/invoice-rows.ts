import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatMoney, formatRate } from '@verdict/domain/money.js';
import { formatCount, formatDay, formatMonth } from './in-words.js';

type Pair = readonly [name: string, value: string];

export const titleOf = (invoice: InvoiceDocument): string =>
  invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';

export const addresseeOf = (invoice: InvoiceDocument): string =>
  invoice.kind === 'invoice' ? 'Billed to' : 'Credited to';

/** The payment instruction. */
export function paymentOf({ kind, content }: InvoiceDocument): string[] {
  if (kind === 'credit_note') return ['Nothing to pay: this amount is credited to you.'];
  return content.seller.payment ? content.seller.payment.split('\n') : [];
}

/** Texts beside the addresses. */
export function factsOf(invoice: InvoiceDocument): Pair[] {
  const facts: Pair[] = [['Date', formatDay(invoice.issued_on)]];
  if (invoice.kind === 'invoice') facts.push(['Due', formatDay(invoice.due_on)]);
  const { po_number } = invoice.content.buyer;
  if (po_number) facts.push(['Your order', po_number]);
  if (invoice.corrects) facts.push(['Corrects invoice', invoice.corrects]);
  facts.push(['Period', `${formatMonth(invoice.month)} (UTC)`], ['Account', invoice.account_id]);
  return facts;
}

/** Subtotal, tax, total. Without tax the note says why, where one is given. */
export function totalsOf({ currency, subtotal, tax_rate, tax, total, content }: InvoiceDocument): Pair[] {
  const name = content.tax_note ? `Tax (${content.tax_note})` : 'Tax';
  return [
    ['Subtotal', formatMoney(subtotal, currency)],
    [`${name}, ${formatRate(tax_rate)}`, formatMoney(tax, currency)],
    ['Total', formatMoney(total, currency)],
  ];
}

/** The month's checks, for a document that bills a month. */
export function usageOf({ content }: InvoiceDocument): Pair[] {
  const { entitled, used, adjusted, over, plans = [] } = content;
  if (entitled === undefined || used === undefined) return [];
  const rows: Pair[] = [
    [plans.length > 1 ? 'Checks included, by days' : 'Checks included', formatCount(entitled)],
    ['Checks used', formatCount(used)],
  ];
  if (adjusted) rows.push(['Late or corrected', formatCount(adjusted)]);
  rows.push(['Beyond those included', formatCount(over ?? 0)]);
  return rows;
}

export const partyLines = ({
  name,
  address,
  tax_id,
  contact,
}: InvoiceDocument['content']['buyer']): string[] => [
  name,
  ...(address ?? '').split('\n').filter(Boolean),
  ...(tax_id ? [`Tax id ${tax_id}`] : []),
  ...(contact ? [contact] : []),
];
