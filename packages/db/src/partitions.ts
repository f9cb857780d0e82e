import type { Database } from './client.js';

/** Makes the partitions and the billing period of each month (`YYYY-MM`) that lacks them. */
export async function ensurePartitions(db: Database, months: readonly string[]): Promise<void> {
  // One after the other: making a partition locks its parent.
  for (const month of months) {
    await db.$queryRaw`SELECT ensure_check_partitions((${month} || '-01')::date)::text`;
  }
}
