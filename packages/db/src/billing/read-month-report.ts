import { DECISIONS } from '@verdict/domain/decision.js';
import { addMonths, monthBounds } from '@verdict/domain/month.js';
import type { MonthReport } from '@verdict/domain/month-report.js';
import type { Database } from '../database/client.js';
import { int, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';
import { monthStatus } from './billing-months.js';

const TOP = 10;

/** Everything of the monthly report that Postgres knows; reconciliation is the caller's. */
export async function readMonthReport(db: Database, month: string): Promise<MonthReport> {
  const [usage, billed, before, billedBefore, by_decision, top, exceptions] = await Promise.all([
    usageTotals(db, month),
    billedTotals(db, month),
    usageTotals(db, addMonths(month, -1)),
    billedTotals(db, addMonths(month, -1)),
    decisions(db, month),
    topAccounts(db, month),
    findExceptions(db, month),
  ]);
  return {
    month,
    status: (await monthStatus(db, month)) ?? 'unknown',
    currency: billed.currency,
    totals: {
      accounts: usage.accounts,
      active: usage.active,
      checks: usage.checks,
      subtotal: billed.subtotal,
      tax: billed.tax,
      total: billed.total,
      documents: billed.documents,
      corrections: billed.corrections,
      corrected: billed.corrected,
    },
    before:
      before.accounts > 0
        ? { active: before.active, checks: before.checks, subtotal: billedBefore.subtotal }
        : null,
    by_decision,
    top,
    exceptions,
  };
}

const UsageTotals = { accounts: int, active: int, checks: int };
type UsageTotals = RowOf<typeof UsageTotals>;

async function usageTotals(db: Database, month: string): Promise<UsageTotals> {
  const { start, end } = monthBounds(month);
  const rows = await rowsOf(db, UsageTotals)`
    SELECT (SELECT count(DISTINCT account_id)::int FROM plan_changes
            WHERE withdrawn_at IS NULL AND to_plan <> 'none' AND effective_at < ${instant(end)}
              AND (effective_at >= ${instant(start)} OR plan_in_force(account_id, ${start}) <> 'none')) AS accounts,
      count(DISTINCT account_id)::int AS active, coalesce(sum(checks), 0)::float8 AS checks
    FROM usage_hourly WHERE hour >= ${instant(start)} AND hour < ${instant(end)}`;
  return rows[0] ?? { accounts: 0, active: 0, checks: 0 };
}

const BilledTotals = {
  currency: text,
  subtotal: int,
  tax: int,
  total: int,
  documents: int,
  corrections: int,
  corrected: int,
};
type BilledTotals = RowOf<typeof BilledTotals>;

async function billedTotals(db: Database, month: string): Promise<BilledTotals> {
  const rows = await rowsOf(db, BilledTotals)`
    WITH papers AS (
      SELECT count(*)::int AS documents, (count(*) FILTER (WHERE corrects IS NOT NULL))::int AS corrections,
        coalesce(sum(subtotal) FILTER (WHERE corrects IS NOT NULL), 0)::float8 AS corrected
      FROM invoices WHERE month = (${month} || '-01')::date
    ), billed AS (
      SELECT coalesce(max(currency), 'EUR') AS currency, coalesce(sum(subtotal), 0)::float8 AS subtotal,
        coalesce(sum(tax), 0)::float8 AS tax, coalesce(sum(total), 0)::float8 AS total
      FROM statements WHERE month = (${month} || '-01')::date
    )
    SELECT * FROM billed, papers`;
  return rows[0] as BilledTotals;
}

function decisions(db: Database, month: string): Promise<{ decision: string; checks: number }[]> {
  const { start, end } = monthBounds(month);
  return rowsOf(db, { decision: text, checks: int })`
    SELECT decision, sum(checks)::float8 AS checks FROM usage_hourly
    WHERE hour >= ${instant(start)} AND hour < ${instant(end)}
    GROUP BY 1 ORDER BY array_position(${[...DECISIONS]}::text[], decision)`;
}

function topAccounts(db: Database, month: string): Promise<MonthReport['top'][number][]> {
  const { start, end } = monthBounds(month);
  return rowsOf(db, { account_id: text, name: text, plan: text, checks: int, subtotal: int })`
    SELECT u.account_id, coalesce(p.name, a.name, u.account_id) AS name,
      coalesce(s.plan, a.plan, 'none') AS plan, u.checks, coalesce(s.subtotal, 0)::float8 AS subtotal
    FROM (SELECT account_id, sum(checks)::float8 AS checks FROM usage_hourly
          WHERE hour >= ${instant(start)} AND hour < ${instant(end)} GROUP BY 1) u
    LEFT JOIN accounts a ON a.id = u.account_id
    LEFT JOIN billing_profiles p ON p.account_id = u.account_id
    LEFT JOIN statements s ON s.account_id = u.account_id AND s.month = (${month} || '-01')::date
    ORDER BY 5 DESC, 4 DESC, 1 LIMIT ${TOP}`;
}

function findExceptions(db: Database, month: string): Promise<MonthReport['exceptions'][number][]> {
  const { start, end } = monthBounds(month);
  return rowsOf(db, { account_id: text, name: text, what: text })`
    SELECT e.account_id, coalesce(p.name, a.name, e.account_id) AS name, e.what FROM (
      SELECT account_id, 'used ' || to_char(over, 'FM999,999,999,999') || ' checks beyond a plan that does not bill them' AS what FROM statements s
      WHERE month = (${month} || '-01')::date AND over > 0
        AND NOT EXISTS (SELECT FROM jsonb_array_elements(s.lines) l WHERE l ->> 'kind' IN ('overage', 'plan_checks'))
      UNION ALL
      SELECT account_id, to_char(adjusted, 'FM999,999,999,999') || ' late or corrected checks of earlier months are billed here' FROM statements
      WHERE month = (${month} || '-01')::date AND adjusted <> 0
      UNION ALL
      SELECT account_id, kind || ' by ' || regexp_replace(author, '^operator:', '') || ': ' || reason FROM manual_adjustments
      WHERE billed_month = (${month} || '-01')::date
      UNION ALL
      SELECT account_id, 'plan ' || from_plan || ' to ' || to_plan || ' on '
        || to_char(effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM plan_changes
      WHERE withdrawn_at IS NULL AND from_plan IS NOT NULL AND effective_at >= ${instant(start)} AND effective_at < ${instant(end)}
      UNION ALL
      SELECT account_id, 'has no invoice yet' || coalesce(': ' || stopped, '') FROM unissued_invoices
      WHERE month = (${month} || '-01')::date
      UNION ALL
      SELECT s.account_id, 'has a credit of ' || (l ->> 'amount')::bigint || ' minor units that the next statement takes' FROM statements s,
        jsonb_array_elements(s.lines) l
      WHERE s.month = (${month} || '-01')::date AND l ->> 'kind' = 'carried_forward'
      UNION ALL
      SELECT id, 'is suspended: ' || coalesce(suspended_reason, '') FROM accounts WHERE suspended_at IS NOT NULL
    ) e LEFT JOIN accounts a ON a.id = e.account_id LEFT JOIN billing_profiles p ON p.account_id = e.account_id
    ORDER BY 2, 3`;
}
