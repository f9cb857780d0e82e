import { type Month, monthBounds } from '@verdict/domain/month.js';
import type { PlanChange } from '@verdict/domain/pricing/plan-days.js';
import type { AccountMonth } from '@verdict/domain/pricing/price-month.js';
import type { Database } from '../database/client.js';
import { bool, entries, int, list, nullable, oneOf, record, type Shape, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** Ends counting in a month (see freeze_billing_month); true while its statements are to be written. */
export async function freezeMonth(db: Database, month: Month): Promise<boolean> {
  const query = rowsOf(db, { frozen: bool })`
    SELECT freeze_billing_month((${month} || '-01')::date) AS frozen`;
  return (await patiently(db, query))[0]?.frozen ?? false;
}

/** Writes the statements of a frozen month (see state_billing_month); returns how many. */
export async function writeStatements(db: Database, month: Month, texts: readonly string[]): Promise<number> {
  const query = rowsOf(db, { written: int })`
    SELECT state_billing_month((${month} || '-01')::date, ${[...texts]}::text[]) AS written`;
  return (await patiently(db, query))[0]?.written ?? 0;
}

const changesBefore = (end: Date) => Prisma.sql`
  SELECT account_id, jsonb_agg(jsonb_build_object('plan', to_plan,
    'at', to_char(effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY effective_at, id) AS changes
  FROM plan_changes WHERE withdrawn_at IS NULL AND effective_at < ${instant(end)} GROUP BY 1`;

const CHANGE: Shape<PlanChange> = { plan: text, at: text };

/** The plans of every account up to the end of a month. */
export function readPlanChanges(
  db: Database,
  month: Month,
): Promise<{ account_id: string; changes: PlanChange[] }[]> {
  return rowsOf(db, { account_id: text, changes: list(record(CHANGE)) })(
    changesBefore(monthBounds(month).end),
  );
}

const ACCOUNT_MONTH: Shape<AccountMonth> = {
  account_id: text,
  changes: list(record(CHANGE)),
  used: int,
  late: list(record({ month: text, checks: int, plan: text, billed: int })),
  brought: nullable(record({ month: text, amount: int })),
  by_decision: entries(int),
  by_key: entries(int),
  by_hand: list(
    record({ id: int, kind: oneOf('adjustment', 'credit'), checks: int, amount: int, reason: text }),
  ),
  terms: list(
    record({
      from: text,
      plan: nullable(text),
      price_month: nullable(int),
      price_per_1000_over: nullable(int),
      discount: int,
    }),
  ),
  tax_rate: int,
};

/**
 * Reads the usage, plans, late checks and adjustments that a month is billed by, for each account. Freezing the month
 * assigns the adjustments to it; before that, `open` reads those that wait.
 */
export function readAccountMonths(db: Database, month: Month, open = false): Promise<AccountMonth[]> {
  const { start, end } = monthBounds(month);
  const billedHere = open
    ? Prisma.sql`(billed_month IS NULL OR billed_month = (${month} || '-01')::date)`
    : Prisma.sql`billed_month = (${month} || '-01')::date`;
  const query = rowsOf(db, ACCOUNT_MONTH)`
    WITH used AS MATERIALIZED (
      SELECT account_id, key_id, decision, sum(checks) AS checks FROM usage_hourly
      WHERE hour >= ${instant(start)} AND hour < ${instant(end)} GROUP BY 1, 2, 3
    ), totals AS (
      SELECT account_id, sum(checks) AS checks FROM used GROUP BY 1
    ), decisions AS (
      SELECT account_id, jsonb_object_agg(decision, n) AS by_decision
      FROM (SELECT account_id, decision, sum(checks) AS n FROM used GROUP BY 1, 2 HAVING sum(checks) <> 0) d GROUP BY 1
    ), keys AS (
      SELECT account_id, jsonb_object_agg(key_id, n) AS by_key
      FROM (SELECT account_id, key_id, sum(checks) AS n FROM used GROUP BY 1, 2 HAVING sum(checks) <> 0) k GROUP BY 1
    ), late AS (
      SELECT l.account_id, jsonb_agg(jsonb_build_object('month', to_char(l.month, 'YYYY-MM'), 'checks', l.checks,
        'plan', coalesce(s.plan, 'none'), 'billed', coalesce(s.used, 0)
          + (SELECT coalesce(sum(m.checks), 0) FROM manual_adjustments m
             WHERE m.account_id = l.account_id AND m.billed_month = l.month)
          + (SELECT coalesce(sum(a.checks), 0) FROM usage_adjustments a WHERE a.account_id = l.account_id
             AND a.hour >= l.month AT TIME ZONE 'UTC' AND a.hour < (l.month + interval '1 month') AT TIME ZONE 'UTC'
             AND a.billed_month < (${month} || '-01')::date)) ORDER BY l.month) AS late
      FROM (SELECT account_id, date_trunc('month', hour AT TIME ZONE 'UTC') AS month, sum(checks) AS checks
            FROM usage_adjustments WHERE ${billedHere} GROUP BY 1, 2 HAVING sum(checks) <> 0) l
      LEFT JOIN statements s ON s.account_id = l.account_id AND s.month = l.month::date GROUP BY 1
    ), brought AS (
      SELECT s.account_id, jsonb_build_object('month', to_char(s.month, 'YYYY-MM'), 'amount', l -> 'amount') AS brought
      FROM (SELECT DISTINCT ON (account_id) account_id, month, lines FROM statements
            WHERE month < (${month} || '-01')::date ORDER BY account_id, month DESC) s, jsonb_array_elements(s.lines) l
      WHERE l ->> 'kind' = 'carried_forward'
    ), by_hand AS (
      SELECT account_id, jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'checks', checks, 'amount', amount,
        'reason', reason) ORDER BY id) AS adjustments
      FROM manual_adjustments WHERE ${billedHere} GROUP BY 1
    ), terms AS (
      SELECT account_id, jsonb_agg(jsonb_build_object('from', to_char(from_month, 'YYYY-MM'), 'plan', plan,
        'price_month', price_month, 'price_per_1000_over', price_per_1000_over, 'discount', discount)
        ORDER BY from_month, id) AS terms
      FROM account_terms GROUP BY 1
    ), changes AS (${changesBefore(end)})
    SELECT account_id, coalesce(c.changes, '[]') AS changes, coalesce(t.checks, 0)::float8 AS used,
      coalesce(l.late, '[]') AS late, b.brought, coalesce(d.by_decision, '{}') AS by_decision,
      coalesce(k.by_key, '{}') AS by_key, coalesce(h.adjustments, '[]') AS by_hand, coalesce(m.terms, '[]') AS terms, coalesce(p.tax_rate, 0) AS tax_rate
    FROM changes c FULL JOIN totals t USING (account_id) FULL JOIN late l USING (account_id)
    FULL JOIN by_hand h USING (account_id) LEFT JOIN decisions d USING (account_id) LEFT JOIN keys k USING (account_id)
    LEFT JOIN brought b USING (account_id) LEFT JOIN terms m USING (account_id)
    LEFT JOIN billing_profiles p USING (account_id)
    ORDER BY account_id`;
  return patiently(db, query);
}
