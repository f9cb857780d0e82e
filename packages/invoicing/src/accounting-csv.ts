import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatAmount, formatRate } from '@verdict/domain/money.js';
import { stringify } from 'csv-stringify/sync';

const COLUMNS = [
  'number',
  'kind',
  'corrects',
  'issued_on',
  'due_on',
  'month',
  'account',
  'name',
  'tax_id',
  'plans',
  'entitled',
  'used',
  'adjusted',
  'over',
  'currency',
  'subtotal',
  'tax_rate',
  'tax',
  'total',
  'checksum',
];

/** One line per invoice or credit note. Amounts with a point and no separators; no cell can be taken for a formula. */
export function accountingCsv(invoices: readonly InvoiceDocument[]): string {
  const rows = invoices.map((invoice) => {
    const { content, currency } = invoice;
    const money = (minor: number) => ({ text: formatAmount(minor, currency, '') });
    return {
      ...invoice,
      account: invoice.account_id,
      name: content.buyer.name,
      tax_id: content.buyer.tax_id,
      plans: content.plans?.map(({ plan, days }) => `${plan} ${days}`).join(', '),
      entitled: content.entitled,
      used: content.used,
      adjusted: content.adjusted,
      over: content.over,
      subtotal: money(invoice.subtotal),
      tax_rate: formatRate(invoice.tax_rate),
      tax: money(invoice.tax),
      total: money(invoice.total),
    };
  });
  return stringify(rows, {
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    // A negative amount begins like a formula and is none.
    cast: { object: (value) => ({ value: (value as { text: string }).text, escape_formulas: false }) },
  });
}
