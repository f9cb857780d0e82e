import { INVOICE_KINDS } from '@verdict/domain/invoice-document.js';
import { dayOf } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { int, oneOf, type RowOf, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { insertMail, type OutgoingMail } from '../people/outgoing-mails.js';
import { invoiceRecipient } from './invoice-recipient.js';
import { CREDITS } from './invoices.js';

/** An invoice that somebody is to be written about. */
const InvoiceToMail = {
  number: text,
  kind: oneOf(...INVOICE_KINDS),
  /** YYYY-MM */
  month: text,
  due_on: text,
  currency: text,
  /** The total less its credit notes, in minor units. */
  left: int,
  to: text,
};
export type InvoiceToMail = RowOf<typeof InvoiceToMail>;

/** The mails about an invoice, with the column that says when each was written. */
const WRITTEN = { issued: Prisma.sql`mailed_at`, overdue: Prisma.sql`reminded_at` } as const;
export type InvoiceNews = keyof typeof WRITTEN;

/** An older invoice that was not mailed is from before mail was on, and reached its reader in another way. */
const MAILED_DAYS = 7;

/**
 * Documents whose mail is not written yet, each with the address on it, or else the account's first user. A reminder is
 * about an overdue invoice that was mailed before. By number, a page after `after`.
 */
export function invoicesToMail(
  db: Database,
  news: InvoiceNews,
  today: Date,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<InvoiceToMail[]> {
  const due =
    news === 'issued'
      ? Prisma.sql`i.mailed_at IS NULL AND i.issued_on > ${dayOf(today)}::date - ${MAILED_DAYS}::int`
      : Prisma.sql`i.reminded_at IS NULL AND i.mailed_at IS NOT NULL AND i.due_on < ${dayOf(today)}::date
          AND i.kind = 'invoice' AND invoice_status(i, ${CREDITS}) = 'overdue'`;
  const query = rowsOf(db, InvoiceToMail)`
    SELECT * FROM (
      SELECT i.number, i.kind, to_char(i.month, 'YYYY-MM') AS month, to_char(i.due_on, 'YYYY-MM-DD') AS due_on, i.currency,
        (i.total + coalesce(${CREDITS}, 0))::float8 AS left,
        ${invoiceRecipient(Prisma.sql`i.document -> 'buyer' ->> 'contact'`, Prisma.sql`i.account_id`)} AS "to"
      FROM invoices i WHERE number > ${after} AND ${due}) m
    WHERE "to" IS NOT NULL ORDER BY number LIMIT ${limit}`;
  return patiently(db, query);
}

/** Writes a mail about an invoice to the outbox and notes it, both or neither; false when somebody else was first. */
export async function writeInvoiceMail(
  db: Database,
  number: string,
  news: InvoiceNews,
  mail: OutgoingMail,
): Promise<boolean> {
  const column = WRITTEN[news];
  const written = await db.$executeRaw`
    WITH noted AS (UPDATE invoices SET ${column} = now() WHERE number = ${number} AND ${column} IS NULL RETURNING number)
    ${insertMail(mail)} WHERE EXISTS (SELECT FROM noted)`;
  return written > 0;
}
