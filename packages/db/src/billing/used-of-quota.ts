import { monthBounds } from '@verdict/domain/month.js';
import type { Plans } from '@verdict/domain/plans.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import { instant } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** A query of the accounts with stored checks in a month: id, plan, checks, and how many the plan includes. */
export function usedOfQuota(plans: Plans, month: string, accountIds?: readonly string[]): Prisma.Sql {
  const { start, end } = monthBounds(month);
  const quotas = JSON.stringify(
    [...pricesIn(plans, month).values()].map(({ name, checksPerMonth }) => ({
      plan: name,
      checks: checksPerMonth,
    })),
  );
  const only = accountIds ? Prisma.sql`AND account_id = ANY (${[...accountIds]}::text[])` : Prisma.empty;
  return Prisma.sql`
    SELECT a.id, a.plan, u.checks, q.checks AS quota
    FROM (SELECT account_id, sum(checks)::bigint AS checks FROM usage_hourly
          WHERE hour >= ${instant(start)} AND hour < ${instant(end)} ${only} GROUP BY 1) u
    JOIN accounts a ON a.id = u.account_id
    JOIN jsonb_to_recordset(${quotas}::jsonb) AS q(plan text, checks bigint) ON q.plan = a.plan`;
}
