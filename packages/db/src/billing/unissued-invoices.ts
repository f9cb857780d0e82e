import type { Database } from '../database/client.js';
import { int, nullable, type RowOf, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';

/** The recipient of an account's invoices, and why the account cannot be invoiced now. */
const InvoiceTerms = {
  account_id: text,
  name: text,
  legal_entity: text,
  /** Why its invoices wait; null when the next closing issues them. */
  stopped: nullable(text),
};
export type InvoiceTerms = RowOf<typeof InvoiceTerms>;

/** An invoice that is not issued yet. Amounts in minor units. */
const UnissuedInvoice = {
  ...InvoiceTerms,
  /** YYYY-MM */
  month: text,
  currency: text,
  subtotal: int,
  tax: int,
  total: int,
};
export type UnissuedInvoice = RowOf<typeof UnissuedInvoice>;

/** Why invoices wait, and how many for each reason, the most frequent first. */
export function countStopped(db: Database): Promise<{ stopped: string; invoices: number }[]> {
  const query = rowsOf(db, { stopped: text, invoices: int })`
    SELECT stopped, count(*)::int AS invoices FROM unissued_invoices WHERE stopped IS NOT NULL
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20`;
  return patiently(db, query);
}

/** The invoices of closed months that are not issued, by month and account; at most `limit`. */
export function listUnissued(db: Database, limit?: number): Promise<UnissuedInvoice[]> {
  const query = rowsOf(db, UnissuedInvoice)`
    SELECT to_char(month, 'YYYY-MM') AS month, account_id, name, legal_entity, currency, subtotal::float8 AS subtotal,
      tax::float8 AS tax, total::float8 AS total, stopped
    FROM unissued_invoices u ORDER BY u.month, account_id LIMIT ${limit ?? null}::int`;
  return patiently(db, query);
}

/** The terms of these accounts, deleted ones included; none while there is no legal entity. */
export function readInvoiceTerms(db: Database, accountIds: readonly string[]): Promise<InvoiceTerms[]> {
  return rowsOf(db, InvoiceTerms)`
    SELECT c.id AS account_id, coalesce(p.name, a.name, c.id) AS name, coalesce(p.legal_entity, d.id) AS legal_entity,
      invoice_obstacle(p, coalesce(p.tax_rate, 0)) AS stopped
    FROM unnest(${[...accountIds]}::text[]) c (id) LEFT JOIN accounts a ON a.id = c.id
    LEFT JOIN billing_profiles p ON p.account_id = c.id JOIN legal_entities d ON d.is_default`;
}
