import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';

const FactsOfMonth = {
  month: text,
  status: text,
  /** Every finished hour agrees with its rollups. */
  reconciled: bool,
  /** Null where the rows are in the database. */
  archived_at: nullable(text),
  archived_rows: nullable(int),
  bytes: int,
};
export type FactsOfMonth = RowOf<typeof FactsOfMonth>;

/** The months that have rows, or had some that were archived, oldest first. */
export const listFacts = (db: Database): Promise<FactsOfMonth[]> =>
  rowsOf(db, FactsOfMonth)`
    SELECT to_char(month, 'YYYY-MM') AS month, status,
      coalesce(reconciled_to >= (month + interval '1 month') AT TIME ZONE 'UTC', false) AS reconciled,
      ${timestampText('archived_at')} AS archived_at, archived_rows::float8 AS archived_rows,
      coalesce(pg_total_relation_size(to_regclass('check_logs_' || to_char(month, 'YYYY_MM'))), 0)::float8 AS bytes
    FROM billing_periods ORDER BY billing_periods.month`;
