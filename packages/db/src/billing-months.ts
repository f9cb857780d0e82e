import type { Database } from './client.js';
import { patiently } from './patiently.js';

/** Months that are not closed yet, oldest first. */
export async function openMonths(db: Database): Promise<string[]> {
  const rows = await db.$queryRaw<{ month: string }[]>`
    SELECT to_char(month, 'YYYY-MM') AS month FROM billing_periods WHERE status = 'open' ORDER BY billing_periods.month`;
  return rows.map(({ month }) => month);
}

/**
 * Closes a month for every account at once (see close_billing_month) and returns how many statements were written: none
 * when it was closed before. `entitled` says how many checks each plan includes.
 */
export async function closeMonth(
  db: Database,
  month: string,
  entitled: Readonly<Record<string, number>>,
): Promise<number> {
  const query = db.$queryRaw<{ written: number }[]>`
    SELECT close_billing_month((${month} || '-01')::date, ${JSON.stringify(entitled)}::jsonb) AS written`;
  const rows = await patiently(db, query);
  return rows[0]?.written ?? 0;
}

/** Counts a month's rollups again from its logs; returns how many cells were corrected (see rebuild_usage). */
export async function rebuildUsage(db: Database, month: string): Promise<number> {
  const query = db.$queryRaw<{ corrected: number }[]>`
    SELECT rebuild_usage((${month} || '-01')::date) AS corrected`;
  const rows = await patiently(db, query);
  return rows[0]?.corrected ?? 0;
}
