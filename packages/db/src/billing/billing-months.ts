import { monthBounds } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import type { Database } from '../database/client.js';
import { patiently } from '../database/patiently.js';

/** Months that are not closed yet, oldest first. */
export async function openMonths(db: Database): Promise<string[]> {
  const rows = await db.$queryRaw<{ month: string }[]>`
    SELECT to_char(month, 'YYYY-MM') AS month FROM billing_periods WHERE status = 'open' ORDER BY billing_periods.month`;
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
export async function monthStatus(db: Database, month: string): Promise<'open' | 'closed' | null> {
  const rows = await db.$queryRaw<{ status: 'open' | 'closed' }[]>`
    SELECT status FROM billing_periods WHERE month = (${month} || '-01')::date`;
  return rows[0]?.status ?? null;
}

/** Plans that were in force in a month, by name. */
export async function plansOfMonth(db: Database, month: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ plan: string }[]>`
    SELECT DISTINCT plan FROM plan_days((${month} || '-01')::date) ORDER BY 1`;
  return rows.map(({ plan }) => plan);
}

/**
 * Closes a month for every account at once (see close_billing_month) and returns how many statements were written: none
 * when it was closed before.
 */
export async function closeMonth(db: Database, month: string, plans: Plans): Promise<number> {
  const query = db.$queryRaw<{ written: number }[]>`
    SELECT close_billing_month((${month} || '-01')::date, ${JSON.stringify(pricesOf(plans))}::jsonb) AS written`;
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

const pricesOf = (plans: Plans) =>
  Object.fromEntries(
    [...plans.values()].map((plan) => [
      plan.name,
      {
        checks: plan.checksPerMonth,
        price_month: plan.priceMonth,
        price_per_1000_over: plan.pricePer1000Over,
        overage: plan.overage,
        currency: plan.currency,
      },
    ]),
  );
