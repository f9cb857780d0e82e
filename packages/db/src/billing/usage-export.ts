import { monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';

const AccountUsage = {
  account: text,
  /** The billing name, or the account's. */
  name: text,
  plan: text,
  /** As the statement of a closed month says; null while the month is open. */
  entitled: nullable(int),
  over: nullable(int),
  /** Of a closed month; what waits for the next statement is in billing.adjustments. */
  adjusted: int,
  used: int,
  allow: int,
  challenge: int,
  review: int,
  block: int,
};
export type AccountUsage = RowOf<typeof AccountUsage>;

/** One line per account with usage in the month, or on a plan at all; by the rollups. */
export function usageOfMonth(db: Database, month: string): Promise<AccountUsage[]> {
  const { start, end } = monthBounds(month);
  return rowsOf(db, AccountUsage)`
    WITH figures AS (
      SELECT account_id, decision, checks FROM usage_hourly WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
      UNION ALL
      SELECT id, NULL, 0 FROM accounts WHERE created_at < ${instant(end)}
    )
    SELECT f.account_id AS account,
      coalesce(max(p.name), max(a.name), f.account_id) AS name,
      coalesce(max(s.plan), max(a.plan), 'none') AS plan,
      max(s.entitled)::float8 AS entitled,
      max(s.over)::float8 AS over,
      coalesce(max(s.adjusted), 0)::float8 AS adjusted,
      sum(f.checks)::float8 AS used,
      coalesce(sum(f.checks) FILTER (WHERE f.decision = 'allow'), 0)::float8 AS allow,
      coalesce(sum(f.checks) FILTER (WHERE f.decision = 'challenge'), 0)::float8 AS challenge,
      coalesce(sum(f.checks) FILTER (WHERE f.decision = 'review'), 0)::float8 AS review,
      coalesce(sum(f.checks) FILTER (WHERE f.decision = 'block'), 0)::float8 AS block
    FROM figures f LEFT JOIN accounts a ON a.id = f.account_id
    LEFT JOIN billing_profiles p ON p.account_id = f.account_id
    LEFT JOIN statements s ON s.account_id = f.account_id AND s.month = (${month} || '-01')::date
    GROUP BY 1 ORDER BY 1`;
}
