import type { InvoiceDocument } from '@verdict/domain/invoice-document.js';
import { formatMoney } from '@verdict/domain/money.js';
import { dayOf } from '@verdict/domain/month.js';
import { type Credited, creditAmounts } from '@verdict/domain/pricing/credit-amounts.js';
import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { document, int, json, nullable, oneOf, type Shape, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

export const INVOICE_STATUSES = ['open', 'overdue', 'paid'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

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
  kind: oneOf('invoice', 'credit_note'),
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

/** Issues what is not issued yet of the closed months (see issue_invoices); returns how many. */
export async function issueInvoices(db: Database, today: Date): Promise<number> {
  const rows = await rowsOf(db, { issued: int })`
    SELECT issue_invoices(${dayOf(today)}::date) AS issued`;
  return rows[0]?.issued ?? 0;
}

/** The same by hand: who asked for it is noted together with what was issued. */
export async function issueInvoicesByHand(db: Database, audit: Audit, today: Date): Promise<number> {
  const rows = await rowsOf(db, { issued: int })`
    WITH changed AS MATERIALIZED (SELECT issue_invoices(${dayOf(today)}::date) AS issued),
    noted AS (
      INSERT INTO operator_events (id, action, target, details)
      SELECT ${audit.id}, ${audit.action}, ${audit.target ?? null},
        ${JSON.stringify(audit.details ?? {})}::jsonb || jsonb_build_object('issued', issued)
      FROM changed WHERE issued > 0
    )
    SELECT issued FROM changed`;
  return rows[0]?.issued ?? 0;
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
export async function listInvoices(
  db: Database,
  { accountId, month, issued, status }: InvoiceFilter = {},
): Promise<IssuedInvoice[]> {
  const rows = await rowsOf(db, STORED_INVOICE)`
    SELECT ${SHOWN} FROM invoices i
    WHERE (${status ?? null}::text IS NULL OR invoice_status(i, ${CREDITS}) = ${status ?? null})
      AND (${accountId ?? null}::text IS NULL OR account_id = ${accountId ?? null})
      AND (${month ?? null}::text IS NULL OR month = to_date(${month ?? null}, 'YYYY-MM'))
      AND (${issued ?? null}::text IS NULL OR issued_on >= to_date(${issued ?? null}, 'YYYY-MM')
        AND issued_on < to_date(${issued ?? null}, 'YYYY-MM') + interval '1 month')
    ORDER BY legal_entity, sequence`;
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
  const rows = await rowsOf(db, { number: text })`
    SELECT number FROM invoices i WHERE checksum <> invoice_checksum(i)
    UNION ALL
    SELECT e.number_prefix || lpad(n::text, 6, '0') FROM legal_entities e, generate_series(1, e.next_number - 1) n
    WHERE NOT EXISTS (SELECT FROM invoices i WHERE i.legal_entity = e.id AND i.sequence = n)
    ORDER BY 1`;
  return rows.map(({ number }) => number);
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
