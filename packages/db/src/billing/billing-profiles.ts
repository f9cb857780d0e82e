import { type Audit, audited } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

/** The billing address of an account. */
const BillingProfile = {
  name: nullable(text),
  address: nullable(text),
  tax_id: nullable(text),
  contact: nullable(text),
  /** Hundredths of a percent. */
  tax_rate: int,
  tax_note: nullable(text),
  external_ref: nullable(text),
  legal_entity: nullable(text),
  /** ISO 3166, two letters. */
  country: nullable(text),
  po_number: nullable(text),
  /** Why the account's invoices wait; null when they do not. */
  hold_reason: nullable(text),
};
export type BillingProfile = RowOf<typeof BillingProfile>;

const EMPTY: BillingProfile = {
  name: null,
  address: null,
  tax_id: null,
  contact: null,
  tax_rate: 0,
  tax_note: null,
  external_ref: null,
  legal_entity: null,
  country: null,
  po_number: null,
  hold_reason: null,
};

const SHOWN = Prisma.sql`name, address, tax_id, contact, tax_rate, tax_note, external_ref, legal_entity,
  country, po_number, hold_reason`;

export async function readBillingProfile(db: Database, accountId: string): Promise<BillingProfile> {
  const rows = await rowsOf(db, BillingProfile)`
    SELECT ${SHOWN} FROM billing_profiles WHERE account_id = ${accountId}`;
  return rows[0] ?? EMPTY;
}

export async function hasBillingProfile(db: Database, accountId: string): Promise<boolean> {
  return (await db.billingProfile.count({ where: { accountId } })) > 0;
}

/** Changes what is named and leaves the rest; null empties a field. */
export async function setBillingProfile(
  db: Database,
  accountId: string,
  changes: Partial<BillingProfile>,
  audit: Audit,
): Promise<BillingProfile> {
  const next = { ...(await readBillingProfile(db, accountId)), ...changes };
  const change = Prisma.sql`
    INSERT INTO billing_profiles (account_id, name, address, tax_id, contact, tax_rate, tax_note, external_ref, legal_entity,
      country, po_number, hold_reason)
    VALUES (${accountId}, ${next.name}, ${next.address}, ${next.tax_id}, ${next.contact}, ${next.tax_rate},
            ${next.tax_note}, ${next.external_ref}, ${next.legal_entity}, ${next.country}, ${next.po_number},
            ${next.hold_reason})
    ON CONFLICT (account_id) DO UPDATE SET name = excluded.name, address = excluded.address, tax_id = excluded.tax_id,
      contact = excluded.contact, tax_rate = excluded.tax_rate, tax_note = excluded.tax_note,
      external_ref = excluded.external_ref, legal_entity = excluded.legal_entity, country = excluded.country,
      po_number = excluded.po_number, hold_reason = excluded.hold_reason, updated_at = now()
    RETURNING ${SHOWN}`;
  const rows = await rowsOf(db, BillingProfile)(audited(accountId, change, audit));
  return rows[0] ?? next;
}
