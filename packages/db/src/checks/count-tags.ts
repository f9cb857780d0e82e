import { LATER_TAGS, TAGS_PER_MONTH_MAX } from '@verdict/domain/check-tag.js';
import { Prisma } from '../generated/client.js';
import type { CheckRow } from './check-row.js';

/** The part of the persisting statement that counts tags, and the name under which Postgres keeps the statement: without a tag it has no such part. */
export const countTags = (
  rows: readonly CheckRow[],
): { readonly name: Prisma.Sql; readonly counts: Prisma.Sql } =>
  rows.some(({ tag }) => typeof tag === 'string')
    ? { name: Prisma.sql`/* persist_tagged_checks */`, counts: COUNTS }
    : { name: Prisma.sql`/* persist_checks */`, counts: Prisma.empty };

/**
 * Counts the tags of checks by day, as a part of the statement that persists them, and names a tag that is new to its month
 * while there is room. Workers that bring new ones together may pass the bound by a few, which reading folds.
 */
const COUNTS = Prisma.sql`, tagged AS MATERIALIZED (
      SELECT t.*, EXISTS (
        SELECT FROM usage_tags u WHERE u.account_id = t.account_id AND u.tag = t.tag
          AND u.day >= t.month AND u.day < t.month + interval '1 month') AS known
      FROM (
        SELECT n.account_id, date_trunc('month', n.created_at AT TIME ZONE 'UTC')::date AS month,
          (n.created_at AT TIME ZONE 'UTC')::date AS day, i.tag, count(*) AS checks
        FROM inserted n JOIN input i ON i.id = n.id AND i.created_at = n.created_at
        WHERE i.tag IS NOT NULL GROUP BY 1, 2, 3, 4
      ) t
      WHERE NOT EXISTS (SELECT FROM periods p WHERE p.month = t.month AND p.status = 'closed')
    ), tag_counts AS (
      INSERT INTO usage_tags AS u (account_id, day, tag, checks)
      SELECT account_id, day, CASE WHEN known OR place <= ${TAGS_PER_MONTH_MAX} THEN tag ELSE ${LATER_TAGS} END, sum(checks)
      FROM (
        SELECT t.*, CASE WHEN NOT known THEN dense_rank() OVER (PARTITION BY account_id, month, known ORDER BY tag) + (
          SELECT count(DISTINCT o.tag) FROM usage_tags o WHERE o.account_id = t.account_id
            AND o.day >= t.month AND o.day < t.month + interval '1 month' AND o.tag <> ${LATER_TAGS}) END AS place
        FROM tagged t
      ) placed
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (account_id, day, tag) DO UPDATE SET checks = u.checks + excluded.checks
    )`;
