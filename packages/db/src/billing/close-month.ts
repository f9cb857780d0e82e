import { LATER_TAGS } from '@verdict/domain/check-tag.js';
import { dayOf, type Month, monthBounds } from '@verdict/domain/month.js';
import type { PlanChange } from '@verdict/domain/pricing/plan-days.js';
import type { AccountMonth } from '@verdict/domain/pricing/price-month.js';
import { CORRECTION_KINDS } from '@verdict/domain/statement-line.js';
import type { Database } from '../database/client.js';
import { bool, entries, int, list, nullable, oneOf, record, type Shape, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { openMonths } from './billing-months.js';

/** Ends counting in a month (see freeze_billing_month); true while its statements are to be written. */
export async function freezeMonth(db: Database, month: Month): Promise<boolean> {
  const query = rowsOf(db, { frozen: bool })`
    SELECT freeze_billing_month((${month} || '-01')::date) AS frozen`;
  return (await patiently(db, query))[0]?.frozen ?? false;
}

/** Writes a page of statements of a frozen month (see state_billing_month); returns how many are new. */
export async function writeStatements(
  db: Database,
  month: Month,
  texts: readonly string[],
  isLast: boolean,
): Promise<number> {
  const query = rowsOf(db, { written: int })`
    SELECT state_billing_month((${month} || '-01')::date, ${[...texts]}::text[], ${isLast}) AS written`;
  return (await patiently(db, query))[0]?.written ?? 0;
}

const changesBefore = (end: Date, chosen: Prisma.Sql) => Prisma.sql`
  SELECT account_id, jsonb_agg(jsonb_build_object('plan', to_plan,
    'at', to_char(effective_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY effective_at, id) AS changes
  FROM plan_changes WHERE withdrawn_at IS NULL AND effective_at < ${instant(end)} AND ${chosen} GROUP BY 1`;

const CHANGE: Shape<PlanChange> = { plan: text, at: text };

/** The plans, up to the end of a month, of the accounts that ever were on a plan other than these. */
export function readOtherPlanChanges(
  db: Database,
  month: Month,
  known: readonly string[],
): Promise<{ account_id: string; changes: PlanChange[] }[]> {
  const { end } = monthBounds(month);
  const query = rowsOf(db, { account_id: text, changes: list(record(CHANGE)) })(
    changesBefore(
      end,
      Prisma.sql`account_id IN (SELECT account_id FROM plan_changes
        WHERE withdrawn_at IS NULL AND effective_at < ${instant(end)} AND to_plan <> ALL(${[...known, 'none']}::text[]))`,
    ),
  );
  return patiently(db, query);
}

/** Accounts that had a plan before a month ended: at least as many as get a statement of it. */
export async function countBillable(db: Database, month: Month): Promise<number> {
  const query = rowsOf(db, { accounts: int })`
    SELECT count(DISTINCT account_id)::int AS accounts FROM plan_changes
    WHERE withdrawn_at IS NULL AND effective_at < ${instant(monthBounds(month).end)}`;
  return (await patiently(db, query))[0]?.accounts ?? 0;
}

/** How many accounts have a statement of a month and the last of them, after which a closing continues; '' for none. */
export async function statedSoFar(db: Database, month: Month): Promise<{ last: string; count: number }> {
  const query = rowsOf(db, { last: text, count: int })`
    SELECT coalesce(max(account_id), '') AS last, count(*)::int AS count FROM statements
    WHERE month = (${month} || '-01')::date`;
  return (await patiently(db, query))[0] ?? { last: '', count: 0 };
}

const ACCOUNT_MONTH: Shape<AccountMonth> = {
  account_id: text,
  changes: list(record(CHANGE)),
  used: int,
  late: list(record({ month: text, checks: int, billed: int })),
  brought: nullable(record({ month: text, amount: int })),
  by_decision: entries(int),
  by_key: entries(int),
  by_tag: entries(int),
  by_hand: list(
    record({ id: int, kind: oneOf(...CORRECTION_KINDS), checks: int, amount: int, reason: text }),
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

const billedIn = (month: Month, open: boolean) =>
  open
    ? Prisma.sql`(billed_month IS NULL OR billed_month = (${month} || '-01')::date)`
    : Prisma.sql`billed_month = (${month} || '-01')::date`;

interface AccountPage {
  /** Accounts after this one, by id. */
  readonly after: string;
  readonly limit: number;
  /** Before the month is frozen: adjustments that wait belong to it. */
  readonly open?: boolean;
}

/** The next accounts that a month may bill. */
async function accountsOfMonth(db: Database, month: Month, page: AccountPage): Promise<string[]> {
  const { after, limit, open = false } = page;
  const { start, end } = monthBounds(month);
  const next = (source: Prisma.Sql) => Prisma.sql`
    (SELECT DISTINCT account_id FROM ${source} AND account_id > ${after} ORDER BY 1 LIMIT ${limit})`;
  const query = rowsOf(db, { account_id: text })`
    SELECT account_id FROM (
      ${next(Prisma.sql`plan_changes WHERE withdrawn_at IS NULL AND effective_at < ${instant(end)}`)}
      UNION ${next(Prisma.sql`usage_hourly WHERE hour >= ${instant(start)} AND hour < ${instant(end)}`)}
      UNION ${next(Prisma.sql`usage_adjustments WHERE ${billedIn(month, open)}`)}
      UNION ${next(Prisma.sql`manual_adjustments WHERE ${billedIn(month, open)}`)}
    ) next ORDER BY 1 LIMIT ${limit}`;
  return (await patiently(db, query)).map(({ account_id }) => account_id);
}

/**
 * Reads, a page of accounts at a time, the usage, plans, late checks and adjustments that a month is billed by. Pages keep
 * memory flat however many accounts there are, and freezing the month keeps the figures of later pages still.
 */
export async function* readAccountMonths(
  db: Database,
  month: Month,
  { after, limit, open = false }: AccountPage,
): AsyncGenerator<AccountMonth[]> {
  for (let last = after; ; ) {
    const accounts = await accountsOfMonth(db, month, { after: last, limit, open });
    if (accounts.length > 0) yield await readPage(db, month, accounts, open);
    if (accounts.length < limit) return;
    last = accounts.at(-1) ?? last;
  }
}

/** The same of one account, whose month still runs. */
export async function readRunningMonth(
  db: Database,
  month: Month,
  accountId: string,
): Promise<AccountMonth | null> {
  // Adjustments wait for the oldest open month.
  const isOldest = (await openMonths(db))[0] === month;
  return (await readPage(db, month, [accountId], isOldest))[0] ?? null;
}

function readPage(
  db: Database,
  month: Month,
  accounts: readonly string[],
  open: boolean,
): Promise<AccountMonth[]> {
  const { start, end } = monthBounds(month);
  const billedHere = billedIn(month, open);
  const chosen = Prisma.sql`account_id = ANY(${[...accounts]}::text[])`;
  const query = rowsOf(db, ACCOUNT_MONTH)`
    WITH used AS MATERIALIZED (
      SELECT account_id, key_id, decision, sum(checks) AS checks FROM usage_hourly
      WHERE hour >= ${instant(start)} AND hour < ${instant(end)} AND ${chosen} GROUP BY 1, 2, 3
    ), totals AS (
      SELECT account_id, sum(checks) AS checks FROM used GROUP BY 1
    ), decisions AS (
      SELECT account_id, jsonb_object_agg(decision, n) AS by_decision
      FROM (SELECT account_id, decision, sum(checks) AS n FROM used GROUP BY 1, 2 HAVING sum(checks) <> 0) d GROUP BY 1
    ), keys AS (
      SELECT account_id, jsonb_object_agg(key_id, n) AS by_key
      FROM (SELECT account_id, key_id, sum(checks) AS n FROM used GROUP BY 1, 2 HAVING sum(checks) <> 0) k GROUP BY 1
    ), tags AS (
      SELECT account_id, jsonb_object_agg(tag, n) AS by_tag
      FROM (SELECT account_id, tag, sum(checks) AS n FROM usage_tags
            WHERE day >= ${dayOf(start)}::date AND day < ${dayOf(end)}::date AND tag <> ${LATER_TAGS} AND ${chosen}
            GROUP BY 1, 2 HAVING sum(checks) <> 0) g GROUP BY 1
    ), late AS (
      SELECT l.account_id, jsonb_agg(jsonb_build_object('month', to_char(l.month, 'YYYY-MM'), 'checks', l.checks,
        'billed', coalesce(s.used, 0)
          + (SELECT coalesce(sum(m.checks), 0) FROM manual_adjustments m
             WHERE m.account_id = l.account_id AND m.billed_month = l.month)
          + (SELECT coalesce(sum(a.checks), 0) FROM usage_adjustments a WHERE a.account_id = l.account_id
             AND a.hour >= l.month AT TIME ZONE 'UTC' AND a.hour < (l.month + interval '1 month') AT TIME ZONE 'UTC'
             AND a.billed_month < (${month} || '-01')::date)) ORDER BY l.month) AS late
      FROM (SELECT account_id, date_trunc('month', hour AT TIME ZONE 'UTC') AS month, sum(checks) AS checks
            FROM usage_adjustments WHERE ${billedHere} AND ${chosen} GROUP BY 1, 2 HAVING sum(checks) <> 0) l
      LEFT JOIN statements s ON s.account_id = l.account_id AND s.month = l.month::date GROUP BY 1
    ), brought AS (
      SELECT s.account_id, jsonb_build_object('month', to_char(s.month, 'YYYY-MM'), 'amount', l -> 'amount') AS brought
      FROM (SELECT DISTINCT ON (account_id) account_id, month, lines FROM statements
            WHERE ${chosen} AND month < (${month} || '-01')::date ORDER BY account_id, month DESC) s, jsonb_array_elements(s.lines) l
      WHERE l ->> 'kind' = 'carried_forward'
    ), by_hand AS (
      SELECT account_id, jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'checks', checks, 'amount', amount,
        'reason', reason) ORDER BY id) AS adjustments
      FROM manual_adjustments WHERE ${billedHere} AND ${chosen} GROUP BY 1
    ), terms AS (
      SELECT account_id, jsonb_agg(jsonb_build_object('from', to_char(from_month, 'YYYY-MM'), 'plan', plan,
        'price_month', price_month, 'price_per_1000_over', price_per_1000_over, 'discount', discount)
        ORDER BY from_month, id) AS terms
      FROM account_terms WHERE ${chosen} GROUP BY 1
    ), changes AS (${changesBefore(end, chosen)})
    SELECT account_id, coalesce(c.changes, '[]') AS changes, coalesce(t.checks, 0)::float8 AS used,
      coalesce(l.late, '[]') AS late, b.brought, coalesce(d.by_decision, '{}') AS by_decision,
      coalesce(k.by_key, '{}') AS by_key, coalesce(g.by_tag, '{}') AS by_tag, coalesce(h.adjustments, '[]') AS by_hand, coalesce(m.terms, '[]') AS terms, coalesce(p.tax_rate, 0) AS tax_rate
    FROM changes c FULL JOIN totals t USING (account_id) FULL JOIN late l USING (account_id)
    FULL JOIN by_hand h USING (account_id) LEFT JOIN decisions d USING (account_id) LEFT JOIN keys k USING (account_id) LEFT JOIN tags g USING (account_id)
    LEFT JOIN brought b USING (account_id) LEFT JOIN terms m USING (account_id)
    LEFT JOIN billing_profiles p USING (account_id)
    ORDER BY account_id`;
  return patiently(db, query);
}
