import { monthBounds } from '@verdict/domain/month.js';
import type { Database } from '../database/client.js';
import { instant } from '../database/sql-timestamp.js';

export interface AccountUsage {
  readonly account: string;
  /** The billing name, or the account's. */
  readonly name: string;
  readonly plan: string;
  /** As the statement of a closed month says; null while the month is open. */
  readonly entitled: number | null;
  readonly over: number | null;
  /** Of a closed month; what waits for the next statement is in billing.adjustments. */
  readonly adjusted: number;
  readonly used: number;
  readonly allow: number;
  readonly challenge: number;
  readonly review: number;
  readonly block: number;
}

/** One line per account with usage in the month, or on a plan at all; by the rollups. */
export function usageOfMonth(db: Database, month: string): Promise<AccountUsage[]> {
  const { start, end } = monthBounds(month);
  return db.$queryRaw<AccountUsage[]>`
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
