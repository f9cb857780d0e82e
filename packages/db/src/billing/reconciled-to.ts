import type { Database } from '../database/client.js';
import { nullable, timestamp } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';

/** The hours of a month before this moment agree with their rows; null when none was compared, or not since it was closed. */
export async function reconciledTo(db: Database, month: string): Promise<Date | null> {
  const [period] = await rowsOf(db, { to: nullable(timestamp) })`
    SELECT reconciled_to AS "to" FROM billing_periods WHERE month = (${month} || '-01')::date`;
  return period?.to ?? null;
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
