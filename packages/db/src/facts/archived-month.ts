import { monthBounds, monthOf } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';

/** The newest month between two moments whose checks are in files instead of the database; null when all can be read. */
export async function archivedMonth(db: Database, from: Date, to: Date): Promise<string | null> {
  const newest = await db.billingPeriod.findFirst({
    where: { archivedAt: { not: null }, month: { gte: monthBounds(monthOf(from)).start, lt: to } },
    orderBy: { month: 'desc' },
  });
  return newest && monthOf(newest.month);
}
