import type { Database } from '../database/client.js';

/** Whether the rows of a month are in a file instead of the database. */
export async function isArchived(db: Database, month: string): Promise<boolean> {
  const found = await db.$executeRaw`
    SELECT FROM billing_periods WHERE month = (${month} || '-01')::date AND archived_at IS NOT NULL`;
  return found > 0;
}
