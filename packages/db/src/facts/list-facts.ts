import type { Database } from '../database/client.js';
import { timestampText } from '../database/sql-timestamp.js';

export type FactsOfMonth = {
  readonly month: string;
  readonly status: string;
  /** Every finished hour agrees with its rollups. */
  readonly reconciled: boolean;
  /** Null where the rows are in the database. */
  readonly archived_at: string | null;
  readonly archived_rows: number | null;
  readonly bytes: number;
};

/** The months that have rows, or had some that were archived, oldest first. */
export const listFacts = (db: Database): Promise<FactsOfMonth[]> =>
  db.$queryRaw<FactsOfMonth[]>`
    SELECT to_char(month, 'YYYY-MM') AS month, status,
      coalesce(reconciled_to >= (month + interval '1 month') AT TIME ZONE 'UTC', false) AS reconciled,
      ${timestampText('archived_at')} AS archived_at, archived_rows::float8 AS archived_rows,
      coalesce(pg_total_relation_size(to_regclass('check_logs_' || to_char(month, 'YYYY_MM'))), 0)::float8 AS bytes
    FROM billing_periods ORDER BY billing_periods.month`;
