import { monthBounds } from '@verdict/domain/month.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { columnsOf, int, nullable, type RowOf, text } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import type { FoundAccount } from './find-account.js';

/** As operators see it, and the cap that the customer set. */
const OperatorAccountRow = { ...columnsOf('operatorAccount'), checks_cap: nullable(int) };
export type OperatorAccountRow = RowOf<typeof OperatorAccountRow>;

export interface AccountSearch {
  /** The start of an id or a name. */
  readonly beginsWith?: string;
  /** A whole login address, in its canonical spelling. */
  readonly login?: string;
  /** The month whose use is shown. */
  readonly month: string;
  readonly before: Position | null;
  readonly countMax: number;
}

/** Accounts with their plan and use, newest first. The page is cut before anything is counted. */
export function listOperatorAccounts(db: Database, search: AccountSearch): Promise<OperatorAccountRow[]> {
  const { start, end } = monthBounds(search.month);
  const { before, beginsWith, login, countMax } = search;
  const chosen = allOf(
    Prisma.sql`true`,
    before && isBefore(before, 'a'),
    beginsWith !== undefined &&
      Prisma.sql`(starts_with(a.id, ${beginsWith}) OR starts_with(lower(a.name), lower(${beginsWith})))`,
    login !== undefined &&
      Prisma.sql`a.id IN (
        SELECT m.account_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = ${login})`,
  );
  return rowsOf(db, OperatorAccountRow)`
    SELECT a.id, a.name, a.plan, ${timestampText('a.created_at')} AS created_at,
      (SELECT coalesce(sum(u.checks), 0)::float8 FROM usage_hourly u
       WHERE u.account_id = a.id AND u.hour >= ${start} AND u.hour < ${end}) AS checks_used,
      (SELECT count(*)::int FROM api_keys k WHERE k.account_id = a.id AND k.status <> 'revoked') AS keys,
      (SELECT ${timestampText('max(k.last_used_at)')} FROM api_keys k WHERE k.account_id = a.id) AS last_used_at,
      (SELECT r.plan FROM plan_requests r WHERE r.account_id = a.id AND r.status = 'open') AS requested_plan,
      (SELECT s.checks_cap::float8 FROM spending_limits s WHERE s.account_id = a.id) AS checks_cap
    FROM (SELECT a.* FROM accounts a WHERE ${chosen}
          ORDER BY a.created_at DESC, a.id DESC LIMIT ${countMax}) a
    ORDER BY a.created_at DESC, a.id DESC`;
}

/** Names and plans of these accounts, in any order; deleted ones are missing. */
export const nameAccounts = (db: Database, ids: readonly string[]): Promise<FoundAccount[]> =>
  db.account.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true, plan: true } });

const OperatorMonthRow = columnsOf('operatorMonth');
export type OperatorMonthRow = RowOf<typeof OperatorMonthRow>;

/** Billing months with their totals, newest first: by the statements once they are closed, by the rollups before. */
export function listOperatorMonths(db: Database, countMax: number): Promise<OperatorMonthRow[]> {
  return rowsOf(db, OperatorMonthRow)`
    SELECT to_char(p.month, 'YYYY-MM') AS month, p.status, ${timestampText('p.closed_at')} AS closed_at,
      CASE p.status WHEN 'closed' THEN s.accounts ELSE u.accounts END AS accounts,
      CASE p.status WHEN 'closed' THEN s.used ELSE u.used END AS used,
      CASE p.status WHEN 'closed' THEN s.adjusted ELSE 0 END AS adjusted, s.entitled, s.over, s.total, s.currency
    FROM (SELECT * FROM billing_periods WHERE month <= now() ORDER BY month DESC LIMIT ${countMax}) p
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS accounts, coalesce(sum(used), 0)::float8 AS used,
        coalesce(sum(adjusted), 0)::float8 AS adjusted, sum(entitled)::float8 AS entitled, sum(over)::float8 AS over,
        sum(total)::float8 AS total, max(currency) AS currency
      FROM statements WHERE month = p.month
    ) s
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT account_id)::int AS accounts, coalesce(sum(checks), 0)::float8 AS used FROM usage_hourly
      WHERE p.status = 'open' AND hour >= p.month::timestamp AT TIME ZONE 'UTC'
        AND hour < (p.month + interval '1 month') AT TIME ZONE 'UTC'
    ) u
    ORDER BY p.month DESC`;
}

const BillingLine = {
  account_id: text,
  account_name: text,
  month: text,
  plan: text,
  entitled: int,
  used: int,
  adjusted: int,
  over: int,
  currency: text,
  /** In minor units, like the two below. */
  subtotal: int,
  tax: int,
  total: int,
  closed_at: text,
  checksum: text,
};
export type BillingLine = RowOf<typeof BillingLine>;

/** The statements of a closed month, by account, those after one. */
export function listBillingLines(
  db: Database,
  month: string,
  afterAccount: string,
  countMax: number,
): Promise<BillingLine[]> {
  return rowsOf(db, BillingLine)`
    SELECT s.account_id, coalesce(a.name, '') AS account_name, to_char(s.month, 'YYYY-MM') AS month, s.plan,
      s.entitled::float8 AS entitled, s.used::float8 AS used, s.adjusted::float8 AS adjusted, s.over::float8 AS over,
      s.currency, s.subtotal::float8 AS subtotal, s.tax::float8 AS tax, s.total::float8 AS total,
      ${timestampText('s.closed_at')} AS closed_at, s.checksum
    FROM statements s LEFT JOIN accounts a ON a.id = s.account_id
    WHERE s.month = to_date(${month}, 'YYYY-MM') AND s.account_id > ${afterAccount}
    ORDER BY s.account_id LIMIT ${countMax}`;
}

/** Accounts whose last change has not reached Redis yet. */
export async function countUnprojected(db: Database): Promise<number> {
  return db.account.count({ where: { projectedVersion: { lt: db.account.fields.version } } });
}
