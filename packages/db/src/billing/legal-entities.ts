import type { Audit } from '../accounts/audited.js';
import { appendOperatorEvent } from '../accounts/operator-events.js';
import type { Database } from '../database/client.js';

export interface LegalEntityRow {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly tax_id: string | null;
  readonly contact: string | null;
  readonly payment: string | null;
  readonly payment_days: number;
  readonly number_prefix: string;
  /** The number that the next invoice gets. */
  readonly next_number: number;
  readonly is_default: boolean;
  readonly country: string | null;
}

export interface LegalEntityFields {
  readonly name?: string;
  readonly address?: string;
  readonly taxId?: string;
  readonly contact?: string;
  readonly payment?: string;
  readonly paymentDays?: number;
  readonly numberPrefix?: string;
  /** ISO 3166, two letters. */
  readonly country?: string;
}

export async function listLegalEntities(db: Database): Promise<LegalEntityRow[]> {
  const rows = await db.legalEntity.findMany({ orderBy: { id: 'asc' } });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    address: row.address,
    tax_id: row.taxId,
    contact: row.contact,
    payment: row.payment,
    payment_days: row.paymentDays,
    number_prefix: row.numberPrefix,
    next_number: Number(row.nextNumber),
    is_default: row.isDefault,
    country: row.country,
  }));
}

/**
 * Creates or changes a legal entity and audits the previous values. The first one is the default; its numbers cannot
 * be set, because they have no gaps.
 */
export async function setLegalEntity(
  db: Database,
  id: string,
  { isDefault = false, ...fields }: LegalEntityFields & { readonly isDefault?: boolean },
  audit: Audit,
): Promise<void> {
  const present = await db.legalEntity.findUnique({ where: { id } });
  const { name, address, numberPrefix = `${id.toUpperCase()}-`, ...rest } = fields;
  if (!present && (!name || !address)) throw new Error('a new legal entity needs a name and an address');
  const first = !present && (await db.legalEntity.count()) === 0;
  const change = present
    ? db.legalEntity.update({ where: { id }, data: fields })
    : db.legalEntity.create({
        data: { id, name: name ?? '', address: address ?? '', numberPrefix, ...rest },
      });
  const before = Object.entries(present ?? {}).filter(([field]) => field in fields);
  const details = {
    ...audit.details,
    ...fields,
    ...(present && { before: Object.fromEntries(before) }),
    ...(isDefault && { isDefault }),
  };
  await db.$transaction([
    change,
    // Invoices of accounts that name no legal entity come from the default one, of which there is one.
    ...(isDefault || first
      ? [
          db.legalEntity.updateMany({ where: { id: { not: id } }, data: { isDefault: false } }),
          db.legalEntity.update({ where: { id }, data: { isDefault: true } }),
        ]
      : []),
    appendOperatorEvent(db, { ...audit, details }),
  ]);
}
