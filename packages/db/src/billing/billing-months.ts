import { MONTH_STATUSES, type MonthStatus, monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { int, oneOf, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';

/** Months whose statements are not written yet, oldest first. */
export async function openMonths(db: Database): Promise<string[]> {
  const rows = await rowsOf(db, { month: text })`
    SELECT to_char(month, 'YYYY-MM') AS month FROM billing_periods WHERE stated_at IS NULL ORDER BY billing_periods.month`;
  return rows.map(({ month }) => month);
}

/** A month that closes in its first hour after the grace is not late yet. */
const CLOSING_MS = 2 * 3_600_000;

/** Open months that ended so long ago that the schedule should have closed them. */
export async function overdueMonths(db: Database, nowMs: number, graceMs: number): Promise<string[]> {
  return (await openMonths(db)).filter(
    (month) => monthBounds(month).end.getTime() + graceMs + CLOSING_MS < nowMs,
  );
}

/** The status of a month; null when there is no such billing month. */
export async function monthStatus(db: Database, month: string): Promise<MonthStatus | null> {
  const rows = await rowsOf(db, { status: oneOf(...MONTH_STATUSES) })`
    SELECT CASE WHEN stated_at IS NULL THEN 'open' ELSE 'closed' END AS status FROM billing_periods WHERE month = (${month} || '-01')::date`;
  return rows[0]?.status ?? null;
}

/** Counts a month's rollups again from its logs; returns how many cells were corrected (see rebuild_usage). */
export async function rebuildUsage(db: Database, month: string): Promise<number> {
  const query = rowsOf(db, { corrected: int })`
    SELECT rebuild_usage((${month} || '-01')::date) AS corrected`;
  const rows = await patiently(db, query);
  return rows[0]?.corrected ?? 0;
}
