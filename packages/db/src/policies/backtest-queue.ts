import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant, timestampText } from '../database/sql-timestamp.js';
import { extended, isHeldBy, nextDue, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';
import type { Leased } from '../work/work-queue.js';
import { BacktestResult, RESULT } from './backtest-result.js';
import { CheckCursor } from './stored-checks.js';

/** A backtest in the hands of one worker, and exactly how far it is. */
const TakenBacktest = {
  id: text,
  lease: int,
  /** Turns since the last page, this one included. */
  tries: int,
  account_id: text,
  /** The plan of the account: it says how long addresses are kept. */
  plan: text,
  /** Whether the account looks up the networks of IPs. */
  ip_intelligence: bool,
  version: int,
  to: text,
  cursor: record(CheckCursor),
  /** Null before the first page. */
  result: nullable(record(BacktestResult)),
};
export type TakenBacktest = RowOf<typeof TakenBacktest>;

/** Takes the backtest that has waited longest, so that long ones take turns with the others. */
export const takeBacktests = (db: Database, countMax: number): Promise<TakenBacktest[]> =>
  rowsOf(db, TakenBacktest)`
    ${take(QUEUES.backtests, nextDue(QUEUES.backtests, countMax))}
    SELECT b.id, b.lease, b.tries, b.account_id, a.plan, a.ip_intelligence, b.version, ${timestampText('b.to_at')} AS "to",
      jsonb_build_object('at', ${timestampText('b.cursor_at')}, 'id', b.cursor_id) AS cursor,
      ${RESULT}
    FROM taken b JOIN accounts a ON a.id = b.account_id`;

/** Ends the period of a backtest at a moment, where that is earlier. Returns the end that holds. */
export async function endBacktestAt(db: Database, taken: TakenBacktest, moment: Date): Promise<string> {
  const [row] = await rowsOf(db, { to: text })`
    UPDATE policy_backtests SET to_at = greatest(from_at, least(to_at, ${instant(moment)}))
    WHERE ${isHeldBy(QUEUES.backtests, taken)} RETURNING ${timestampText('to_at')} AS "to"`;
  return row?.to ?? taken.to;
}

export const failBacktest = (db: Database, taken: TakenBacktest): Promise<number> =>
  db.$executeRaw`
    UPDATE policy_backtests SET status = 'failed', finished_at = now() WHERE ${isHeldBy(QUEUES.backtests, taken)}`;

interface Page {
  readonly cursor: CheckCursor;
  readonly checks: number;
  readonly result: BacktestResult;
  readonly isLast: boolean;
}

/** Notes a page, its counts and the cursor behind it in one statement. False when another worker has the backtest. */
export async function saveBacktestPage(
  db: Database,
  taken: Leased,
  { cursor, checks, result, isLast }: Page,
): Promise<boolean> {
  const saved = await db.$executeRaw`
    UPDATE policy_backtests SET cursor_at = ${cursor.at}::timestamptz, cursor_id = ${cursor.id}, done = done + ${checks},
      result = ${JSON.stringify(result)}::jsonb, tries = 0, ${extended(QUEUES.backtests)},
      status = ${isLast ? 'done' : 'running'}, finished_at = CASE WHEN ${isLast} THEN now() END
    WHERE ${isHeldBy(QUEUES.backtests, taken)} AND status = 'running'`;
  return saved > 0;
}

export const deleteBacktestsBefore = (db: Database, moment: Date): Promise<number> =>
  db.$executeRaw`DELETE FROM policy_backtests WHERE created_at < ${instant(moment)}`;
