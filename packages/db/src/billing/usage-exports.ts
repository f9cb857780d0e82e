import { type Month, monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';

/** One month of one account that was handed to another program. */
export interface UsageExport {
  readonly accountId: string;
  readonly checks: number;
}

/** When a month was handed out in this format, and by whom; null when it was not. */
export const findUsageExport = (
  db: Database,
  format: string,
  month: Month,
): Promise<{ exportedBy: string; exportedAt: Date } | null> =>
  db.usageExport.findFirst({ where: { format, month: monthBounds(month).start }, orderBy: { id: 'desc' } });

export async function noteUsageExport(
  db: Database,
  format: string,
  month: Month,
  author: string,
  exported: readonly UsageExport[],
): Promise<void> {
  await db.usageExport.createMany({
    data: exported.map(({ accountId, checks }) => ({
      format,
      month: monthBounds(month).start,
      accountId,
      checks,
      exportedBy: author,
    })),
  });
}
