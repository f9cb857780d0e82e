import { encodeTime } from '@verdict/domain/id.js';
import { addMonths, monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';

const UsageDifference = { accountId: text, expected: int, found: int };
export type UsageDifference = RowOf<typeof UsageDifference>;

/** Whole hours from `start` to before `end`. */
export interface Hours {
  readonly start: Date;
  readonly end: Date;
}

/**
 * Accounts whose rollups and adjustments of some hours do not add up to their logs, cell by cell, so that two errors cannot
 * hide each other. One statement sees one moment: what is being persisted meanwhile is in both or in neither.
 */
export function rollupDifferences(db: Database, { start, end }: Hours): Promise<UsageDifference[]> {
  const query = rowsOf(db, UsageDifference)`
    SELECT account_id AS "accountId", sum(logs)::float8 AS expected, sum(counted)::float8 AS found
    FROM (
      SELECT account_id, sum(logs) AS logs, sum(counted) AS counted, sum(logs) <> sum(counted) AS wrong
      FROM (
        SELECT account_id, key_id, date_trunc('hour', created_at, 'UTC') AS hour, decision, count(*) AS logs, 0 AS counted
        FROM check_logs WHERE created_at >= ${instant(start)} AND created_at < ${instant(end)} GROUP BY 1, 2, 3, 4
        UNION ALL
        SELECT account_id, key_id, hour, decision, 0, checks FROM usage_hourly WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
        UNION ALL
        SELECT account_id, key_id, hour, decision, 0, checks FROM usage_adjustments
        WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
      ) sources GROUP BY account_id, key_id, hour, decision
    ) cells GROUP BY account_id HAVING bool_or(wrong) ORDER BY account_id`;
  return patiently(db, query);
}

/**
 * Accounts of an open month whose tagged checks are not those of their logs, day by day: tags beyond the month's number are
 * counted together. A closed month counts no late check by tag.
 */
export function tagDifferences(db: Database, { start, end }: Hours): Promise<UsageDifference[]> {
  const query = rowsOf(db, UsageDifference)`
    SELECT account_id AS "accountId", sum(logs)::float8 AS expected, sum(counted)::float8 AS found FROM (
      SELECT account_id, sum(logs) AS logs, sum(counted) AS counted, sum(logs) <> sum(counted) AS wrong FROM (
        SELECT account_id, (created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS logs, 0 AS counted
        FROM check_logs WHERE tag IS NOT NULL AND created_at >= ${instant(start)} AND created_at < ${instant(end)} GROUP BY 1, 2
        UNION ALL
        SELECT account_id, day, 0, checks FROM usage_tags
        WHERE day >= (${instant(start)} AT TIME ZONE 'UTC')::date AND day < (${instant(end)} AT TIME ZONE 'UTC')::date
      ) sources GROUP BY account_id, day
    ) days
    WHERE NOT EXISTS (
      SELECT FROM billing_periods WHERE month = (${instant(start)} AT TIME ZONE 'UTC')::date AND status = 'closed')
    GROUP BY account_id HAVING bool_or(wrong) ORDER BY account_id`;
  return patiently(db, query);
}

/**
 * Accounts with a log id that has more than one row, of which one at least is in the month: ids, and rows of these. Ids
 * begin with the time they were made at, so those of some hours are neighbours in the primary key.
 */
export function doubledChecks(db: Database, month: string, madeIn?: Hours): Promise<UsageDifference[]> {
  const { start, end } = monthBounds(month);
  const { start: before } = monthBounds(addMonths(month, -1));
  const [from, to] = madeIn ? [firstId(madeIn.start), firstId(madeIn.end)] : ['l', 'm'];
  const query = rowsOf(db, UsageDifference)`
    SELECT account_id AS "accountId", count(DISTINCT id)::float8 AS expected, count(*)::float8 AS found FROM check_logs
    WHERE created_at >= ${instant(before)} AND created_at < ${instant(end)} AND id IN (
      SELECT id FROM check_logs
      WHERE created_at >= ${instant(before)} AND created_at < ${instant(end)} AND id >= ${from} AND id < ${to}
      GROUP BY id HAVING count(*) > 1 AND max(created_at) >= ${instant(start)}
    ) GROUP BY 1 ORDER BY 1`;
  return patiently(db, query);
}

const firstId = (moment: Date): string => `log_${encodeTime(moment.getTime())}`;

/** Statements of a closed month that no longer agree with the rollups they were made from, and accounts without one. */
export function statementDifferences(db: Database, month: string): Promise<UsageDifference[]> {
  const { start, end } = monthBounds(month);
  const query = rowsOf(db, UsageDifference)`
    WITH rolled AS (
      SELECT account_id, sum(checks) AS checks FROM usage_hourly WHERE hour >= ${instant(start)} AND hour < ${instant(end)} GROUP BY 1
    ), billed AS (
      SELECT account_id, used FROM statements WHERE month = (${month} || '-01')::date
    )
    SELECT coalesce(r.account_id, b.account_id) AS "accountId", coalesce(r.checks, 0)::float8 AS expected,
      coalesce(b.used, 0)::float8 AS found
    FROM rolled r FULL JOIN billed b ON b.account_id = r.account_id
    WHERE EXISTS (SELECT FROM billing_periods WHERE month = (${month} || '-01')::date AND stated_at IS NOT NULL)
      AND (coalesce(r.checks, 0) <> coalesce(b.used, 0) OR (b.account_id IS NULL AND r.checks <> 0))
    ORDER BY 1`;
  return patiently(db, query);
}

/** Statements whose figures, text and checksum do not fit each other: somebody went around the trigger. */
export async function forgedStatements(db: Database, month: string): Promise<string[]> {
  const query = rowsOf(db, { accountId: text })`
    SELECT account_id AS "accountId" FROM statements s
    WHERE month = (${month} || '-01')::date AND NOT is_genuine(s) ORDER BY 1`;
  return (await patiently(db, query)).map(({ accountId }) => accountId);
}

/** Checks of a month by account, late ones included: what the Redis counter must show. */
export async function monthUsage(
  db: Database,
  month: string,
  accountIds?: readonly string[],
): Promise<Map<string, number>> {
  const { start, end } = monthBounds(month);
  const only = accountIds ? [...accountIds] : null;
  const rows = await rowsOf(db, { accountId: text, checks: int })`
    SELECT account_id AS "accountId", sum(checks)::float8 AS checks FROM (
      SELECT account_id, checks FROM usage_hourly WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
      UNION ALL
      SELECT account_id, checks FROM usage_adjustments WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
    ) u WHERE ${only}::text[] IS NULL OR account_id = ANY(${only}::text[]) GROUP BY 1`;
  return new Map(rows.map(({ accountId, checks }) => [accountId, checks]));
}
