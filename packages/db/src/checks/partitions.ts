import type { Database } from '../database/client.js';
import { CHECK_VIOLATION, sqlStateOf } from '../database/database-failure.js';

/** Makes the partitions and the billing period of each month (`YYYY-MM`) that lacks them. */
export async function ensurePartitions(db: Database, months: readonly string[]): Promise<void> {
  // One after the other: making a partition locks its parent.
  for (const month of months) {
    await db.$executeRaw`SELECT ensure_check_partitions((${month} || '-01')::date)`;
  }
}

/** Runs a statement that writes checks of these months, making their partitions if they turn out to be missing. */
export async function withPartitions<T>(
  db: Database,
  months: readonly string[],
  statement: () => Promise<T>,
): Promise<T> {
  try {
    return await statement();
  } catch (error) {
    if (sqlStateOf(error) !== CHECK_VIOLATION) throw error;
    // Perhaps an unforeseen month: the schedule makes partitions ahead, a clock that jumped may outrun it.
    await ensurePartitions(db, months);
    return statement();
  }
}
