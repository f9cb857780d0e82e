import type { Database } from '../database/client.js';
import { columnsOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

const StatementRow = columnsOf('statement');
export type StatementRow = RowOf<typeof StatementRow>;

const SHOWN = Prisma.sql`to_char(s.month, 'YYYY-MM') AS month, s.plan, s.entitled::float8 AS entitled,
  s.used::float8 AS used, s.adjusted::float8 AS adjusted, s."over"::float8 AS over, s.by_decision, s.by_key, s.by_tag, s.plans,
  s.currency, s.lines, s.subtotal::float8 AS subtotal, s.tax_rate, s.tax::float8 AS tax, s.total::float8 AS total,
  ${timestampText('s.closed_at')} AS closed_at, s.text, s.checksum`;

/** The months that metering has closed for one account. */
export function createStatementReading(db: Database, accountId: string) {
  return {
    /** Newest first. One a month, so the list stays short. */
    list: (): Promise<StatementRow[]> =>
      rowsOf(db, StatementRow)`
        SELECT ${SHOWN} FROM statements s WHERE s.account_id = ${accountId} ORDER BY s.month DESC`,

    async find(month: string): Promise<StatementRow | undefined> {
      const rows = await rowsOf(db, StatementRow)`
        SELECT ${SHOWN} FROM statements s
        WHERE s.account_id = ${accountId} AND s.month = to_date(${month}, 'YYYY-MM')`;
      return rows[0];
    },
  };
}

export type AccountStatement = StatementRow & {
  account_id: string;
  /** The billing name, or the account's. */
  name: string;
};

/** The statements of a month, by account, for all of them or for one. */
export function statementsOfMonth(
  db: Database,
  month: string,
  accountId?: string,
): Promise<AccountStatement[]> {
  return rowsOf(db, { ...StatementRow, account_id: text, name: text })`
    SELECT s.account_id, coalesce(p.name, a.name, s.account_id) AS name, ${SHOWN}
    FROM statements s LEFT JOIN accounts a ON a.id = s.account_id
    LEFT JOIN billing_profiles p ON p.account_id = s.account_id
    WHERE s.month = to_date(${month}, 'YYYY-MM') AND (${accountId ?? null}::text IS NULL OR s.account_id = ${accountId ?? null})
    ORDER BY s.account_id`;
}
