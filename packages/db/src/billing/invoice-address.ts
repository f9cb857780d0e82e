import type { Recipient } from '@verdict/contracts/dashboard/billing-api.js';
import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';

/** The part of a billing profile that customers write themselves. */
export async function readInvoiceAddress(db: Database, accountId: string): Promise<Recipient> {
  const profile = await db.billingProfile.findUnique({ where: { accountId } });
  const { name = null, address = null, taxId = null, contact = null } = profile ?? {};
  const { country = null, poNumber = null } = profile ?? {};
  return { name, address, tax_id: taxId, contact, country, po_number: poNumber };
}

/** Replaces the address of invoices to come; issued ones keep theirs. */
export async function setInvoiceAddress(
  db: Database,
  accountId: string,
  { name, address, tax_id, contact, country, po_number }: Recipient,
  audit: Audit,
): Promise<void> {
  const change = Prisma.sql`
    INSERT INTO billing_profiles (account_id, name, address, tax_id, contact, country, po_number)
    VALUES (${accountId}, ${name}, ${address}, ${tax_id}, ${contact}, ${country}, ${po_number})
    ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, address = excluded.address, tax_id = excluded.tax_id,
      contact = excluded.contact, country = excluded.country, po_number = excluded.po_number, updated_at = now()
    RETURNING account_id`;
  await db.$executeRaw(audited(accountId, change, audit));
}
