import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** The archived days between two moments on which an account has checks, oldest first. */
export async function archivedDays(
  db: Database,
  accountId: string,
  from: string,
  to: string,
): Promise<string[]> {
  const rows = await rowsOf(db, { day: text })`
    SELECT DISTINCT to_char(u.hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
    FROM billing_periods p JOIN usage_hourly u
      ON u.hour >= p.month::timestamp AT TIME ZONE 'UTC' AND u.hour < (p.month + interval '1 month') AT TIME ZONE 'UTC'
    WHERE p.archived_at IS NOT NULL AND u.account_id = ${accountId}
      AND u.hour >= date_trunc('hour', ${from}::timestamptz, 'UTC') AND u.hour < ${to}::timestamptz
    ORDER BY 1`;
  return rows.map(({ day }) => day);
}
