import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';
import { findInvoice } from './invoices.js';

interface Payment {
  readonly number: string;
  /** YYYY-MM-DD */
  readonly on: string;
  /** The payment, as the bank or the ledger calls it. */
  readonly ref: string;
}

/**
 * Notes that an invoice was paid; the same payment again changes nothing. Throws with a sentence when there is no such
 * invoice or another payment is noted.
 */
export async function settleInvoice(db: Database, { number, on, ref }: Payment, audit: Audit): Promise<void> {
  const invoice = await requireInvoice(db, number);
  const change = Prisma.sql`
    UPDATE invoices SET paid_on = ${on}::date, payment_ref = ${ref} WHERE number = ${number} AND paid_on IS NULL
    RETURNING number`;
  if ((await db.$executeRaw(audited(invoice.account_id, change, audit))) > 0) return;
  const { paid_on, payment_ref } = await requireInvoice(db, number);
  if (paid_on === on && payment_ref === ref) return;
  throw new Error(`${number} was paid on ${paid_on} (${payment_ref}); settle --undo takes that back`);
}

/** Takes a payment back that was noted by mistake, or that the bank returned. */
export async function unsettleInvoice(db: Database, number: string, audit: Audit): Promise<void> {
  const { account_id, paid_on, payment_ref } = await requireInvoice(db, number);
  const change = Prisma.sql`
    UPDATE invoices SET paid_on = NULL, payment_ref = NULL WHERE number = ${number} AND paid_on IS NOT NULL
    RETURNING number, ${JSON.stringify({ paid_on, payment_ref })}::jsonb AS details`;
  await db.$executeRaw(audited(account_id, change, audit));
}

async function requireInvoice(db: Database, number: string) {
  const invoice = await findInvoice(db, number);
  if (!invoice) throw new Error(`there is no invoice ${number}`);
  if (invoice.kind !== 'invoice') throw new Error(`${number} is a credit note: there is nothing to pay`);
  return invoice;
}
