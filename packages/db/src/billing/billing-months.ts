import { type MonthStatus, monthBounds, monthOf } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { int } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';

/** Months whose statements are not written yet, oldest first. */
export async function openMonths(db: Database): Promise<string[]> {
  const periods = await db.billingPeriod.findMany({ where: { statedAt: null }, orderBy: { month: 'asc' } });
  return periods.map(({ month }) => monthOf(month));
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
  const period = await db.billingPeriod.findUnique({ where: { month: monthBounds(month).start } });
  return period && (period.statedAt ? 'closed' : 'open');
}

/** Counts a month's rollups again from its logs; returns how many cells were corrected (see rebuild_usage). */
export async function rebuildUsage(db: Database, month: string): Promise<number> {
  const query = rowsOf(db, { corrected: int })`
    SELECT rebuild_usage((${month} || '-01')::date) AS corrected`;
  const rows = await patiently(db, query);
  return rows[0]?.corrected ?? 0;
}
