import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { int8, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

const UsageRow = {
  /** Start of the hour, day or month, UTC. */
  at: text,
  key_id: text,
  decision: text,
  checks: int8,
};
export type UsageRow = RowOf<typeof UsageRow>;

export interface UsageQuery {
  readonly from: Date;
  readonly to: Date;
  readonly by: 'hour' | 'day' | 'month';
  readonly keyId?: string;
  readonly decision?: string;
}

/** One account's rollups: what billing counts, a moment behind the counter that admits. */
export function createUsageReading(db: Database, accountId: string) {
  return {
    /** Sums by hour, day or month, key and decision, oldest first. */
    sums(query: UsageQuery): Promise<UsageRow[]> {
      const chosen = allOf(
        Prisma.sql`account_id = ${accountId} AND hour >= ${query.from} AND hour < ${query.to}`,
        query.keyId !== undefined && Prisma.sql`key_id = ${query.keyId}`,
        query.decision !== undefined && Prisma.sql`decision = ${query.decision}`,
      );
      return rowsOf(db, UsageRow)`
        SELECT to_char(date_trunc(${query.by}, hour AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS at,
               key_id, decision, sum(checks)::bigint AS checks
        FROM usage_hourly
        WHERE ${chosen}
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
    },
  };
}
