import type { Database } from '../database/client.js';

/** An invoice that is not issued yet. Amounts in minor units. */
export interface UnissuedInvoice {
  /** YYYY-MM */
  readonly month: string;
  readonly account_id: string;
  readonly name: string;
  readonly legal_entity: string;
  readonly currency: string;
  readonly subtotal: number;
  readonly tax: number;
  readonly total: number;
  /** Why it waits; null when the next closing issues it. */
  readonly stopped: string | null;
}

/** The invoices of closed months that are not issued, by month and account. */
export function listUnissued(db: Database): Promise<UnissuedInvoice[]> {
  return db.$queryRaw`
    SELECT to_char(month, 'YYYY-MM') AS month, account_id, name, legal_entity, currency, subtotal::float8 AS subtotal,
      tax::float8 AS tax, total::float8 AS total, stopped
    FROM unissued_invoices u ORDER BY u.month, account_id`;
}

/** The recipient of an account's invoices, and why the account cannot be invoiced now. */
export type InvoiceTerms = Pick<UnissuedInvoice, 'account_id' | 'name' | 'legal_entity' | 'stopped'>;

/** The terms of these accounts, deleted ones included; none while there is no legal entity. */
export function readInvoiceTerms(db: Database, accountIds: readonly string[]): Promise<InvoiceTerms[]> {
  return db.$queryRaw`
    SELECT c.id AS account_id, coalesce(p.name, a.name, c.id) AS name, coalesce(p.legal_entity, d.id) AS legal_entity,
      invoice_obstacle(p, coalesce(p.tax_rate, 0)) AS stopped
    FROM unnest(${[...accountIds]}::text[]) c (id) LEFT JOIN accounts a ON a.id = c.id
    LEFT JOIN billing_profiles p ON p.account_id = c.id JOIN legal_entities d ON d.is_default`;
}
