import { LATER_TAGS, TAGS_PER_MONTH_MAX } from '@verdict/domain/check-tag.js';
import { dayOf } from '@verdict/domain/month.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { int, int8, nullable, type RowOf, text } from '../database/columns.js';
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

export interface UsageTags {
  readonly total: number;
  readonly tags: readonly { readonly tag: string; readonly checks: number }[];
  /** Of all tags that are not named. */
  readonly other: number;
  readonly untagged: number;
}

const sumOf = (rows: readonly { readonly checks: number }[]): number =>
  rows.reduce((sum, { checks }) => sum + checks, 0);

/** One account's rollups: what billing counts, a moment behind the counter that admits. */
export function createUsageReading(db: Database, accountId: string) {
  return {
    /** Sums by hour, day or month, key and decision, oldest first: those after one, as many as are asked for. */
    sums(
      query: UsageQuery,
      after: UsageRow | null = null,
      countMax: number | null = null,
    ): Promise<UsageRow[]> {
      const isLater = after
        ? Prisma.sql`(s.at, s.key_id, s.decision) > (${after.at}, ${after.key_id}, ${after.decision})`
        : Prisma.sql`true`;
      const chosen = allOf(
        Prisma.sql`account_id = ${accountId} AND hour >= ${query.from} AND hour < ${query.to}`,
        query.keyId !== undefined && Prisma.sql`key_id = ${query.keyId}`,
        query.decision !== undefined && Prisma.sql`decision = ${query.decision}`,
      );
      return rowsOf(db, UsageRow)`
        SELECT s.* FROM (
          SELECT to_char(date_trunc(${query.by}, hour AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS at,
                 key_id, decision, sum(checks)::bigint AS checks
          FROM usage_hourly
          WHERE ${chosen}
          GROUP BY 1, 2, 3
        ) s WHERE ${isLater} ORDER BY 1, 2, 3 LIMIT ${countMax}::int`;
    },

    /** Checks by tag, the most used first. The total is read in the same statement, so that the rest is those without one. */
    async tags({ from, to }: Pick<UsageQuery, 'from' | 'to'>): Promise<UsageTags> {
      const rows = await rowsOf(db, { tag: nullable(text), checks: int })`
        SELECT NULL AS tag, coalesce(sum(checks), 0)::float8 AS checks FROM usage_hourly
        WHERE account_id = ${accountId} AND hour >= ${from} AND hour < ${to}
        UNION ALL
        SELECT tag, sum(checks)::float8 FROM usage_tags
        WHERE account_id = ${accountId} AND day >= ${dayOf(from)}::date AND day < ${dayOf(to)}::date GROUP BY 1
        ORDER BY 2 DESC, 1`;
      const named = rows.flatMap(({ tag, checks }) =>
        tag === null || tag === LATER_TAGS ? [] : [{ tag, checks }],
      );
      const tags = named.slice(0, TAGS_PER_MONTH_MAX);
      const total = rows.find(({ tag }) => tag === null)?.checks ?? 0;
      const tagged = sumOf(rows.filter(({ tag }) => tag !== null));
      return { total, tags, other: tagged - sumOf(tags), untagged: total - tagged };
    },
  };
}
