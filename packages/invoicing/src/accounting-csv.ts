import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatAmount, formatRate } from '@verdict/domain/money.js';
import { daysOfMonth } from '@verdict/domain/pricing/plan-days.js';
import { stringify } from 'csv-stringify/sync';

const COLUMNS = [
  'number',
  'kind',
  'corrects',
  'legal_entity',
  'issued_on',
  'due_on',
  'month',
  'period_from',
  'period_to',
  'account',
  'customer',
  'name',
  'country',
  'tax_id',
  'po_number',
  'plans',
  'entitled',
  'used',
  'adjusted',
  'over',
  'currency',
  'subtotal',
  'tax_rate',
  'tax_note',
  'tax',
  'total',
  'checksum',
];

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * One line per invoice or credit note. Amounts have a point and no separators; no cell can be taken for a formula. For Excel
 * where a comma separates decimals, cells are separated by semicolons and the file begins with a byte order mark. Only the
 * first page of a file has a head.
 */
export function accountingCsv(
  invoices: readonly InvoiceDocument[],
  { excel = false, isFirst = true }: { excel?: boolean; isFirst?: boolean } = {},
): string {
  const rows = invoices.map((invoice) => {
    const { content, currency, month } = invoice;
    const { buyer } = content;
    const number = (text: string) => (excel ? text.replace('.', ',') : text);
    const money = (minor: number) => ({ text: number(formatAmount(minor, currency, '')) });
    return {
      ...invoice,
      due_on: invoice.kind === 'invoice' ? invoice.due_on : null,
      period_from: `${month}-01`,
      period_to: `${month}-${daysOfMonth(month)}`,
      account: invoice.account_id,
      customer: buyer.external_ref,
      name: buyer.name,
      country: buyer.country,
      tax_id: buyer.tax_id,
      po_number: buyer.po_number,
      plans: content.plans?.map(({ plan, days }) => `${plan} ${days}`).join(', '),
      entitled: content.entitled,
      used: content.used,
      adjusted: content.adjusted,
      over: content.over,
      subtotal: money(invoice.subtotal),
      tax_rate: number(formatRate(invoice.tax_rate)),
      tax_note: content.tax_note,
      tax: money(invoice.tax),
      total: money(invoice.total),
    };
  });
  const text = stringify(rows, {
    header: isFirst,
    columns: COLUMNS,
    delimiter: excel ? ';' : ',',
    escape_formulas: true,
    // A negative amount begins like a formula and is none.
    cast: { object: (value) => ({ value: (value as { text: string }).text, escape_formulas: false }) },
  });
  return excel && isFirst ? `${BYTE_ORDER_MARK}${text}` : text;
}
