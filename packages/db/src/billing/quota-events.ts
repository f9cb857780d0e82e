import { monthBounds } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import type { Database } from '../database/client.js';
import { int } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** In percent of the plan's checks. */
const WARNINGS = [80, 90];
const USED_UP = 100;

/**
 * Sends quota events: once per account, month and threshold, however often it runs. A threshold is a number of stored
 * checks, so a larger plan has different ones; returns how many events were written.
 */
export async function tellOfQuotas(
  db: Database,
  plans: Plans,
  month: string,
  accountIds?: readonly string[],
): Promise<number> {
  const { start, end } = monthBounds(month);
  const limits = JSON.stringify(
    [...pricesIn(plans, month).values()].map(({ name, checksPerMonth }) => ({
      plan: name,
      checks: checksPerMonth,
    })),
  );
  const only = accountIds ? Prisma.sql`AND account_id = ANY (${[...accountIds]}::text[])` : Prisma.empty;
  const rows = await rowsOf(db, { told: int })`
    WITH used AS MATERIALIZED (
      SELECT account_id, sum(checks)::bigint AS checks FROM usage_hourly
      WHERE hour >= ${instant(start)} AND hour < ${instant(end)} ${only} GROUP BY 1
    ), reached AS MATERIALIZED (
      SELECT a.id, u.checks AS used, l.checks AS quota, t.percent,
        concat_ws(' ', 'quota', ${month}::text, t.percent, l.checks) AS once_key
      FROM used u JOIN accounts a ON a.id = u.account_id
      JOIN jsonb_to_recordset(${limits}::jsonb) AS l(plan text, checks bigint) ON l.plan = a.plan
      CROSS JOIN unnest(${[...WARNINGS, USED_UP]}::int[]) AS t(percent)
      WHERE u.checks * 100 >= l.checks * t.percent
    )
    SELECT count(enqueue_webhook_event(r.id, CASE WHEN r.percent = ${USED_UP} THEN 'quota.exceeded' ELSE 'quota.warning' END,
      jsonb_build_object('month', ${month}::text, 'percent', r.percent, 'checks_used', r.used, 'checks_limit', r.quota),
      r.once_key))::int AS told
    FROM reached r
    WHERE NOT EXISTS (SELECT FROM webhook_events e WHERE e.account_id = r.id AND e.once_key = r.once_key)`;
  return rows[0]?.told ?? 0;
}
