import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

/** The part of a billing profile that customers write themselves. */
const InvoiceAddress = {
  name: nullable(text),
  address: nullable(text),
  tax_id: nullable(text),
  contact: nullable(text),
};
export type InvoiceAddress = RowOf<typeof InvoiceAddress>;

const EMPTY: InvoiceAddress = { name: null, address: null, tax_id: null, contact: null };

export async function readInvoiceAddress(db: Database, accountId: string): Promise<InvoiceAddress> {
  const rows = await rowsOf(db, InvoiceAddress)`
    SELECT name, address, tax_id, contact FROM billing_profiles WHERE account_id = ${accountId}`;
  return rows[0] ?? EMPTY;
}

/** Replaces the address of invoices to come; issued ones keep theirs. */
export async function setInvoiceAddress(
  db: Database,
  accountId: string,
  { name, address, tax_id, contact }: InvoiceAddress,
  audit: Audit,
): Promise<void> {
  const change = Prisma.sql`
    INSERT INTO billing_profiles (account_id, name, address, tax_id, contact)
    VALUES (${accountId}, ${name}, ${address}, ${tax_id}, ${contact})
    ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, address = excluded.address,
      tax_id = excluded.tax_id, contact = excluded.contact, updated_at = now()
    RETURNING account_id`;
  await db.$executeRaw(audited(accountId, change, audit));
}
