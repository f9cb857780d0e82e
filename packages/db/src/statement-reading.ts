import type { Database } from './client.js';
import { Prisma } from './generated/client.js';
import { timestampText } from './sql-timestamp.js';

export interface StatementRow {
  month: string;
  plan: string;
  entitled: number;
  used: number;
  adjusted: number;
  over: number;
  by_decision: Record<string, number>;
  by_key: Record<string, number>;
  closed_at: string;
  checksum: string;
}

type StoredRow = Omit<StatementRow, 'entitled' | 'used' | 'adjusted' | 'over'> &
  Record<'entitled' | 'used' | 'adjusted' | 'over', bigint>;

const SHOWN = Prisma.sql`to_char(month, 'YYYY-MM') AS month, plan, entitled, used, adjusted, "over", by_decision, by_key,
  ${timestampText('closed_at')} AS closed_at, checksum`;

export type StatementReading = ReturnType<typeof createStatementReading>;

/** The months that metering has closed for one account. */
export function createStatementReading(db: Database, accountId: string) {
  return {
    /** Newest first. One a month, so the list stays short for as long as anybody will read it. */
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

/** Counts of checks stay far below 2^53. */
const withNumbers = (row: StoredRow): StatementRow => ({
  ...row,
  entitled: Number(row.entitled),
  used: Number(row.used),
  adjusted: Number(row.adjusted),
  over: Number(row.over),
});
