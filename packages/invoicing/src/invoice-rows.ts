import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatMoney, formatRate } from '@verdict/domain/money.js';
import { formatCount, formatDay, formatMonth } from './in-words.js';

type Pair = readonly [name: string, value: string];

export const titleOf = (invoice: InvoiceDocument): string =>
  invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';

export const addresseeOf = (invoice: InvoiceDocument): string =>
  invoice.kind === 'invoice' ? 'Billed to' : 'Credited to';

/** The payment instruction. */
export function paymentOf({ kind, total, content }: InvoiceDocument): string[] {
  if (kind === 'credit_note') return ['Nothing to pay: this amount is credited to you.'];
  if (total === 0) return ['Nothing to pay.'];
  return content.seller.payment ? content.seller.payment.split('\n') : [];
}

/** Texts beside the addresses. */
export function factsOf(invoice: InvoiceDocument): Pair[] {
  const facts: Pair[] = [['Date', formatDay(invoice.issued_on)]];
  if (invoice.kind === 'invoice' && invoice.total > 0) facts.push(['Due', formatDay(invoice.due_on)]);
  const { po_number } = invoice.content.buyer;
  if (po_number) facts.push(['Your order', po_number]);
  if (invoice.corrects) facts.push(['Corrects invoice', invoice.corrects]);
  facts.push(['Period', `${formatMonth(invoice.month)} (UTC)`], ['Account', invoice.account_id]);
  return facts;
}

export function totalsOf({ currency, subtotal, tax_rate, tax, total }: InvoiceDocument): Pair[] {
  return [
    ['Subtotal', formatMoney(subtotal, currency)],
    [`Tax, ${formatRate(tax_rate)}`, formatMoney(tax, currency)],
    ['Total', formatMoney(total, currency)],
  ];
}

/** Why the tax is what it is, in the words the law wants; below the totals, because it may be long. */
export const taxNoteOf = ({ content }: InvoiceDocument): string => content.tax_note ?? '';

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
  country,
}: InvoiceDocument['content']['buyer']): string[] => [
  name,
  ...(address ?? '').split('\n').filter(Boolean),
  ...countryLine(address, country),
  ...(tax_id ? [`Tax id ${tax_id}`] : []),
  ...(contact ? [contact] : []),
];

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** The country in words, unless the address names it. */
function countryLine(address: string | null, country: string | null | undefined): string[] {
  const name = country ? countries.of(country) : undefined;
  return name && !address?.toLowerCase().includes(name.toLowerCase()) ? [name] : [];
}
