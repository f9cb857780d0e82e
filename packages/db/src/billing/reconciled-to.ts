import { monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { instant } from '../database/sql-timestamp.js';

/** The hours of a month before this moment agree with their rows; null when none was compared, or not since it was closed. */
export async function reconciledTo(db: Database, month: string): Promise<Date | null> {
  const period = await db.billingPeriod.findUnique({ where: { month: monthBounds(month).start } });
  return period?.reconciledTo ?? null;
}

/** Moves it from where it was read; false when the month was closed meanwhile, which resets it. */
export async function noteReconciledTo(
  db: Database,
  month: string,
  from: Date | null,
  to: Date,
): Promise<boolean> {
  const moved = await db.$executeRaw`
    UPDATE billing_periods SET reconciled_to = ${instant(to)}
    WHERE month = (${month} || '-01')::date AND reconciled_to IS NOT DISTINCT FROM ${from?.toISOString() ?? null}::timestamptz`;
  return moved > 0;
}
