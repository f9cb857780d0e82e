import { BACKTEST_STATUSES } from '@verdict/domain/policy-states.js';
import type { Database } from '../database/client.js';
import { int, nullable, oneOf, type RowOf, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { archivedMonth } from '../facts/archived-month.js';
import { Prisma } from '../generated/client.js';
import { BacktestResult, RESULT } from './backtest-result.js';

const BacktestRow = {
  id: text,
  version: int,
  status: oneOf(...BACKTEST_STATUSES),
  from: text,
  to: text,
  total: int,
  done: int,
  /** Null before the first page. */
  result: nullable(record(BacktestResult)),
  created_at: text,
  created_by: nullable(text),
  finished_at: nullable(text),
};
export type BacktestRow = RowOf<typeof BacktestRow>;

export interface NewBacktest {
  readonly id: string;
  readonly version: number;
  readonly from: string;
  readonly to: string;
  readonly createdBy: string | null;
}

/** Backtests of an account that are kept. */
const KEPT_MAX = 50;

const SHOWN = Prisma.sql`id, version, CASE WHEN status = 'running' AND lease = 0 THEN 'queued' ELSE status END AS status,
  ${timestampText('from_at')} AS "from", ${timestampText('to_at')} AS "to", total::float8 AS total, done::float8 AS done,
  ${RESULT}, ${timestampText('created_at')} AS created_at, created_by, ${timestampText('finished_at')} AS finished_at`;

/** One account's backtests. */
export function createBacktests(db: Database, accountId: string) {
  return {
    /** The newest month of a period whose checks no backtest reads, because they are in files. */
    archivedMonth: (from: string, to: string): Promise<string | null> =>
      archivedMonth(db, new Date(from), new Date(to)),

    /** Undefined when one runs. The rollups say how many checks it will read, or nearly: they have whole hours. */
    async create({ id, version, from, to, createdBy }: NewBacktest): Promise<BacktestRow | undefined> {
      const [row] = await rowsOf(db, BacktestRow)`
        WITH old AS (
          DELETE FROM policy_backtests WHERE account_id = ${accountId} AND status <> 'running' AND id NOT IN (
            SELECT id FROM policy_backtests WHERE account_id = ${accountId} ORDER BY created_at DESC LIMIT ${KEPT_MAX - 1})
        )
        INSERT INTO policy_backtests (id, account_id, version, from_at, to_at, cursor_at, created_by, total)
        SELECT ${id}, ${accountId}, ${version}, ${from}::timestamptz, least(${to}::timestamptz, now()),
          ${from}::timestamptz, ${createdBy}, coalesce(sum(checks), 0)
        FROM usage_hourly WHERE account_id = ${accountId}
          AND hour >= date_trunc('hour', ${from}::timestamptz, 'UTC') AND hour < ${to}::timestamptz
        ON CONFLICT (account_id) WHERE status = 'running' DO NOTHING
        RETURNING ${SHOWN}`;
      return row;
    },

    async find(id: string): Promise<BacktestRow | undefined> {
      const [row] = await rowsOf(db, BacktestRow)`
        SELECT ${SHOWN} FROM policy_backtests WHERE account_id = ${accountId} AND id = ${id}`;
      return row;
    },

    /** All that are kept, newest first. */
    list(): Promise<BacktestRow[]> {
      return rowsOf(db, BacktestRow)`
        SELECT ${SHOWN} FROM policy_backtests WHERE account_id = ${accountId} ORDER BY policy_backtests.created_at DESC`;
    },

    async newestOf(version: number): Promise<BacktestRow | undefined> {
      const [row] = await rowsOf(db, BacktestRow)`
        SELECT ${SHOWN} FROM policy_backtests WHERE account_id = ${accountId} AND version = ${version}
        ORDER BY policy_backtests.created_at DESC LIMIT 1`;
      return row;
    },
  };
}
