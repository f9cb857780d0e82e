import { type Month, monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { text, timestamp } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** One month of one account that was handed to another program. */
export interface UsageExport {
  readonly accountId: string;
  readonly checks: number;
}

/** When a month was handed out in this format, and by whom; null when it was not. */
export async function findUsageExport(
  db: Database,
  format: string,
  month: Month,
): Promise<{ exported_by: string; exported_at: Date } | null> {
  const rows = await rowsOf(db, { exported_by: text, exported_at: timestamp })`
    SELECT exported_by, exported_at FROM usage_exports
    WHERE format = ${format} AND month = (${month} || '-01')::date ORDER BY id DESC LIMIT 1`;
  return rows[0] ?? null;
}

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
