import type { PlanDays, StatementLine } from '@verdict/domain/statement-line.js';
import type { Database } from '../database/client.js';
import { document, entries, int, int8, list, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** Counts and amounts, which Postgres has as int8. */
const BIG = {
  entitled: int8,
  used: int8,
  adjusted: int8,
  over: int8,
  subtotal: int8,
  tax: int8,
  total: int8,
};

const SMALL = {
  month: text,
  plan: text,
  by_decision: entries(int),
  by_key: entries(int),
  /** The active plans, with their days. */
  plans: list(document<PlanDays>()),
  /** Amounts in minor units of the currency. */
  currency: text,
  lines: list(document<StatementLine>()),
  /** Hundredths of a percent. */
  tax_rate: int,
  closed_at: text,
  /** All that is billed, as it was written at closing; its SHA-256 is the checksum. */
  text,
  checksum: text,
};

export type StatementRow = RowOf<typeof SMALL> & Record<keyof typeof BIG, number>;

const StoredRow = { ...SMALL, ...BIG };
type StoredRow = RowOf<typeof StoredRow>;

const SHOWN = Prisma.sql`to_char(s.month, 'YYYY-MM') AS month, s.plan, s.entitled, s.used, s.adjusted, s."over",
  s.by_decision, s.by_key, s.plans, s.currency, s.lines, s.subtotal, s.tax_rate, s.tax, s.total,
  ${timestampText('s.closed_at')} AS closed_at, s.text, s.checksum`;

/** The months that metering has closed for one account. */
export function createStatementReading(db: Database, accountId: string) {
  return {
    /** Newest first. One a month, so the list stays short. */
    async list(): Promise<StatementRow[]> {
      const rows = await rowsOf(db, StoredRow)`
        SELECT ${SHOWN} FROM statements s WHERE s.account_id = ${accountId} ORDER BY s.month DESC`;
      return rows.map(withNumbers);
    },

    async find(month: string): Promise<StatementRow | undefined> {
      const rows = await rowsOf(db, StoredRow)`
        SELECT ${SHOWN} FROM statements s
        WHERE s.account_id = ${accountId} AND s.month = to_date(${month}, 'YYYY-MM')`;
      return rows.map(withNumbers)[0];
    },
  };
}

export type AccountStatement = StatementRow & {
  account_id: string;
  /** The billing name, or the account's. */
  name: string;
};

/** The statements of a month, by account, for all of them or for one. */
export async function statementsOfMonth(
  db: Database,
  month: string,
  accountId?: string,
): Promise<AccountStatement[]> {
  const rows = await rowsOf(db, { ...StoredRow, account_id: text, name: text })`
    SELECT s.account_id, coalesce(p.name, a.name, s.account_id) AS name, ${SHOWN}
    FROM statements s LEFT JOIN accounts a ON a.id = s.account_id
    LEFT JOIN billing_profiles p ON p.account_id = s.account_id
    WHERE s.month = to_date(${month}, 'YYYY-MM') AND (${accountId ?? null}::text IS NULL OR s.account_id = ${accountId ?? null})
    ORDER BY s.account_id`;
  return rows.map((row) => ({ ...row, ...withNumbers(row) }));
}

/** Counts of checks, and cents, stay far below 2^53. */
const withNumbers = (row: StoredRow): StatementRow => ({
  ...row,
  entitled: Number(row.entitled),
  used: Number(row.used),
  adjusted: Number(row.adjusted),
  over: Number(row.over),
  subtotal: Number(row.subtotal),
  tax: Number(row.tax),
  total: Number(row.total),
});
