import type { PlanDays, StatementLine } from '@verdict/domain/statement-line.js';
import type { Database } from '../database/client.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

export interface StatementRow {
  month: string;
  plan: string;
  entitled: number;
  used: number;
  adjusted: number;
  over: number;
  by_decision: Record<string, number>;
  by_key: Record<string, number>;
  /** The active plans, with their days. */
  plans: PlanDays[];
  /** Amounts in minor units of the currency. */
  currency: string;
  lines: StatementLine[];
  subtotal: number;
  /** Hundredths of a percent. */
  tax_rate: number;
  tax: number;
  total: number;
  closed_at: string;
  /** All that is billed, as it was written at closing; its SHA-256 is the checksum. */
  text: string;
  checksum: string;
}

type Big = 'entitled' | 'used' | 'adjusted' | 'over' | 'subtotal' | 'tax' | 'total';
type StoredRow = Omit<StatementRow, Big> & Record<Big, bigint>;

const SHOWN = Prisma.sql`to_char(month, 'YYYY-MM') AS month, plan, entitled, used, adjusted, "over", by_decision, by_key,
  plans, currency, lines, subtotal, tax_rate, tax, total, ${timestampText('closed_at')} AS closed_at, text, checksum`;

const SHOWN_OF_ALL = Prisma.sql`to_char(s.month, 'YYYY-MM') AS month, s.plan, s.entitled, s.used, s.adjusted, s."over",
  s.by_decision, s.by_key, s.plans, s.currency, s.lines, s.subtotal, s.tax_rate, s.tax, s.total,
  ${timestampText('s.closed_at')} AS closed_at, s.text, s.checksum`;

/** The months that metering has closed for one account. */
export function createStatementReading(db: Database, accountId: string) {
  return {
    /** Newest first. One a month, so the list stays short. */
    async list(): Promise<StatementRow[]> {
      const rows = await db.$queryRaw<StoredRow[]>`
        SELECT ${SHOWN} FROM statements WHERE account_id = ${accountId} ORDER BY statements.month DESC`;
      return rows.map(withNumbers);
    },

    async find(month: string): Promise<StatementRow | undefined> {
      const rows = await db.$queryRaw<StoredRow[]>`
        SELECT ${SHOWN} FROM statements
        WHERE account_id = ${accountId} AND month = to_date(${month}, 'YYYY-MM')`;
      return rows.map(withNumbers)[0];
    },
  };
}

export interface AccountStatement extends StatementRow {
  account_id: string;
  /** The billing name, or the account's. */
  name: string;
}

/** The statements of a month for all accounts, by account. */
export async function statementsOfMonth(db: Database, month: string): Promise<AccountStatement[]> {
  const rows = await db.$queryRaw<(StoredRow & { account_id: string; name: string })[]>`
    SELECT s.account_id, coalesce(p.name, a.name, s.account_id) AS name, ${SHOWN_OF_ALL}
    FROM statements s LEFT JOIN accounts a ON a.id = s.account_id
    LEFT JOIN billing_profiles p ON p.account_id = s.account_id
    WHERE s.month = to_date(${month}, 'YYYY-MM') ORDER BY s.account_id`;
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
