import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { INVOICE_KINDS, INVOICE_STATUSES, type InvoiceStatus } from '@verdict/domain/invoice-document.js';
import { formatMoney } from '@verdict/domain/money.js';
import { dayOf } from '@verdict/domain/month.js';
import { type Credited, creditAmounts } from '@verdict/domain/pricing/credit-amounts.js';
import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { document, int, json, nullable, oneOf, type Shape, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

/** A document with what happened to it after its issue. */
export interface IssuedInvoice extends InvoiceDocument {
  /** As of today; null for a credit note. */
  readonly status: InvoiceStatus | null;
  readonly paid_on: string | null;
  readonly payment_ref: string | null;
}

type StoredInvoice = Omit<IssuedInvoice, 'content'> & { readonly document: IssuedInvoice['content'] };
const STORED_INVOICE: Shape<StoredInvoice> = {
  number: text,
  kind: oneOf(...INVOICE_KINDS),
  legal_entity: text,
  account_id: text,
  month: text,
  issued_on: text,
  due_on: text,
  currency: text,
  subtotal: int,
  tax_rate: int,
  tax: int,
  total: int,
  document: document<IssuedInvoice['content']>(),
  corrects: nullable(text),
  statement_checksum: nullable(text),
  checksum: text,
  status: nullable(oneOf(...INVOICE_STATUSES)),
  paid_on: nullable(text),
  payment_ref: nullable(text),
};

/** The sum of the credit notes of an invoice `i`; null when it has none. */
export const CREDITS = Prisma.sql`(SELECT sum(c.total) FROM invoices c WHERE c.corrects = i.number)`;

const SHOWN = Prisma.sql`number, kind, legal_entity, account_id, to_char(month, 'YYYY-MM') AS month,
  to_char(issued_on, 'YYYY-MM-DD') AS issued_on, to_char(due_on, 'YYYY-MM-DD') AS due_on, currency,
  subtotal::float8 AS subtotal, tax_rate, tax::float8 AS tax, total::float8 AS total, document, corrects,
  statement_checksum, checksum, invoice_status(i, ${CREDITS}) AS status, to_char(paid_on, 'YYYY-MM-DD') AS paid_on, payment_ref`;

interface InvoicePage {
  /** The invoice after which the page begins; null for the first. */
  readonly after: { readonly month: string; readonly account_id: string } | null;
  readonly limit: number;
  /** Names the operator; absent when the schedule issues. */
  readonly audit?: Audit | undefined;
}

/** Issues the next invoices of the closed months (see issue_invoices), and notes who asked for them in the same commit. */
export async function issueInvoicePage(
  db: Database,
  today: Date,
  { after, limit, audit }: InvoicePage,
): Promise<{ issued: number; last: InvoicePage['after'] }> {
  const change = Prisma.sql`
    SELECT issued, to_char(last_month, 'YYYY-MM') AS month, last_account AS account_id
    FROM issue_invoices(${dayOf(today)}::date, to_date(${after?.month ?? null}, 'YYYY-MM'), ${after?.account_id ?? null}, ${limit}::int)`;
  const noted = audit
    ? Prisma.sql`, noted AS (
        INSERT INTO operator_events (id, action, target, details)
        SELECT ${audit.id}, ${audit.action}, ${audit.target ?? null},
          ${JSON.stringify(audit.details ?? {})}::jsonb || jsonb_build_object('issued', issued)
        FROM changed WHERE issued > 0)`
    : Prisma.empty;
  const query = rowsOf(db, { issued: int, month: nullable(text), account_id: nullable(text) })`
    WITH changed AS MATERIALIZED (${change}) ${noted} SELECT * FROM changed`;
  const row = (await patiently(db, query))[0];
  if (!row) throw new Error('issue_invoices returned nothing');
  const { issued, month, account_id } = row;
  return { issued, last: month === null || account_id === null ? null : { month, account_id } };
}

export interface InvoiceFilter {
  readonly accountId?: string;
  /** The month that was served. */
  readonly month?: string;
  /** The month of issue. */
  readonly issued?: string;
  readonly status?: InvoiceStatus;
}

/** In the order of their numbers. */
export async function listInvoices(db: Database, filter: InvoiceFilter = {}): Promise<IssuedInvoice[]> {
  const invoices: IssuedInvoice[] = [];
  for await (const page of readInvoicePages(db, filter)) invoices.push(...page);
  return invoices;
}

/** Documents in one read. */
const PAGE = 500;

/** The same page by page, for an export whose memory does not grow with the number of customers. */
export async function* readInvoicePages(
  db: Database,
  filter: InvoiceFilter = {},
): AsyncGenerator<IssuedInvoice[]> {
  for (let after: string | null = null; ; ) {
    const page: IssuedInvoice[] = await readInvoicePage(db, filter, after);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.number ?? null;
  }
}

async function readInvoicePage(
  db: Database,
  { accountId, month, issued, status }: InvoiceFilter,
  after: string | null,
): Promise<IssuedInvoice[]> {
  const later =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(i.legal_entity, i.sequence) > (SELECT a.legal_entity, a.sequence FROM invoices a WHERE a.number = ${after})`;
  const rows = await rowsOf(db, STORED_INVOICE)`
    SELECT ${SHOWN} FROM invoices i
    WHERE (${status ?? null}::text IS NULL OR invoice_status(i, ${CREDITS}) = ${status ?? null})
      AND (${accountId ?? null}::text IS NULL OR account_id = ${accountId ?? null})
      AND (${month ?? null}::text IS NULL OR month = to_date(${month ?? null}, 'YYYY-MM'))
      AND (${issued ?? null}::text IS NULL OR issued_on >= to_date(${issued ?? null}, 'YYYY-MM')
        AND issued_on < to_date(${issued ?? null}, 'YYYY-MM') + interval '1 month') AND ${later}
    ORDER BY legal_entity, sequence LIMIT ${PAGE}`;
  return rows.map(withContent);
}

export async function findInvoice(db: Database, number: string): Promise<IssuedInvoice | null> {
  const rows = await rowsOf(db, STORED_INVOICE)`SELECT ${SHOWN} FROM invoices i WHERE number = ${number}`;
  return rows.map(withContent)[0] ?? null;
}

/**
 * Takes back a part of an invoice, before tax, or all that is left of it; returns the number of the credit note. Throws
 * with a sentence when there is no such invoice or less is left.
 */
export async function creditInvoice(
  db: Database,
  credit: { number: string; amount: number | null; reason: string; author: string; today: Date },
  audit: Audit,
): Promise<string> {
  const { number, amount, reason, author, today } = credit;
  const invoice = await findInvoice(db, number);
  if (!invoice) throw new Error(`there is no invoice ${number}`);
  const left = await leftToCredit(db, number);
  const credited = creditAmounts(left, invoice.tax_rate, amount);
  if (!credited) {
    throw new Error(`invoice ${number} has ${formatMoney(left.subtotal, invoice.currency)} left to credit`);
  }
  const change = Prisma.sql`
    SELECT number, jsonb_build_object('credit_note', number) AS details
    FROM credit_invoice(${number}, ${credited.subtotal}::bigint, ${credited.tax}::bigint, ${reason}, ${author},
      ${dayOf(today)}::date) AS number`;
  const rows = await rowsOf(db, { number: text, details: json })(audited(invoice.account_id, change, audit));
  return rows[0]?.number ?? '';
}

/** Returns the part of an invoice that its credit notes have not taken back yet. */
async function leftToCredit(db: Database, number: string): Promise<Credited> {
  const rows = await rowsOf(db, { subtotal: int, tax: int })`
    SELECT sum(subtotal)::float8 AS subtotal, sum(tax)::float8 AS tax FROM invoices
    WHERE number = ${number} OR corrects = ${number}`;
  return rows[0] ?? { subtotal: 0, tax: 0 };
}

/** Invoices of which more was taken back than they charged: subtotal and tax each, because each is booked by itself. */
export async function overcreditedInvoices(
  db: Database,
): Promise<{ number: string; expected: number; found: number }[]> {
  return rowsOf(db, { number: text, expected: int, found: int })`
    SELECT i.number, i.total::float8 AS expected, -sum(c.total)::float8 AS found
    FROM invoices i JOIN invoices c ON c.corrects = i.number
    GROUP BY i.number
    HAVING -sum(c.subtotal) > i.subtotal OR -sum(c.tax) > i.tax OR (-sum(c.subtotal) = i.subtotal AND -sum(c.tax) <> i.tax)
    ORDER BY 1`;
}

/** Invoices with a wrong checksum, and missing numbers, which show that the trigger was bypassed. */
export async function forgedInvoices(db: Database): Promise<string[]> {
  const query = rowsOf(db, { number: text })`
    SELECT number FROM invoices i WHERE checksum <> invoice_checksum(i)
    UNION ALL
    SELECT e.number_prefix || lpad(n::text, 6, '0') FROM legal_entities e, generate_series(1, e.next_number - 1) n
    WHERE NOT EXISTS (SELECT FROM invoices i WHERE i.legal_entity = e.id AND i.sequence = n)
    ORDER BY 1`;
  return (await patiently(db, query)).map(({ number }) => number);
}

/** The invoices of one account; another's number finds nothing. */
export function createInvoiceReading(db: Database, accountId: string) {
  return {
    list: (): Promise<IssuedInvoice[]> => listInvoices(db, { accountId }),
    async find(number: string): Promise<IssuedInvoice | undefined> {
      const invoice = await findInvoice(db, number);
      return invoice?.account_id === accountId ? invoice : undefined;
    },
  };
}

const withContent = ({ document, ...rest }: StoredInvoice): IssuedInvoice => ({
  ...rest,
  content: document,
});
