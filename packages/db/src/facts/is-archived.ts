import { monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';

/** Whether the rows of a month are in a file instead of the database. */
export async function isArchived(db: Database, month: string): Promise<boolean> {
  const period = await db.billingPeriod.findUnique({ where: { month: monthBounds(month).start } });
  return period?.archivedAt != null;
}
