import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, record, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant, timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { BacktestResult, RESULT } from './backtest-result.js';
import { CheckCursor } from './stored-checks.js';

/** A backtest in the hands of one worker, and exactly how far it is. */
const TakenBacktest = {
  id: text,
  lease: int,
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

/** Each page renews the lease; one takes seconds on a busy machine. */
const LEASE_SECONDS = 60;
/** A backtest that made no page in so many turns has failed. */
const TRIES_MAX = 20;

const renewed = Prisma.sql`now() + make_interval(secs => ${LEASE_SECONDS})`;

/** Takes the backtest that has waited longest, so that long ones take turns with the others. */
export async function takeBacktest(db: Database): Promise<TakenBacktest | undefined> {
  // A lease that ends later than any can was written before the clock was set back.
  const [row] = await rowsOf(db, { ...TakenBacktest, tries: int })`
    WITH next AS (
      SELECT id FROM policy_backtests
      WHERE status = 'running' AND NOT (leased_until > now() AND leased_until <= ${renewed})
      ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE policy_backtests b SET lease = b.lease + 1, tries = b.tries + 1, leased_until = ${renewed}
    FROM next, accounts a WHERE b.id = next.id AND a.id = b.account_id
    RETURNING b.id, b.lease, b.tries, b.account_id, a.plan, a.ip_intelligence, b.version, ${timestampText('b.to_at')} AS "to",
      jsonb_build_object('at', ${timestampText('b.cursor_at')}, 'id', b.cursor_id) AS cursor,
      ${RESULT}`;
  if (!row) return undefined;
  const { tries, ...taken } = row;
  if (tries <= TRIES_MAX) return taken;
  await db.$executeRaw`
    UPDATE policy_backtests SET status = 'failed', finished_at = now() WHERE id = ${taken.id} AND lease = ${taken.lease}`;
  return takeBacktest(db);
}

interface Page {
  readonly cursor: CheckCursor;
  readonly checks: number;
  readonly result: BacktestResult;
  readonly isLast: boolean;
}

/** Notes a page, its counts and the cursor behind it in one statement. False when another worker has the backtest. */
export async function saveBacktestPage(
  db: Database,
  { id, lease }: Pick<TakenBacktest, 'id' | 'lease'>,
  { cursor, checks, result, isLast }: Page,
): Promise<boolean> {
  const saved = await db.$executeRaw`
    UPDATE policy_backtests SET cursor_at = ${cursor.at}::timestamptz, cursor_id = ${cursor.id}, done = done + ${checks},
      result = ${JSON.stringify(result)}::jsonb, tries = 0, leased_until = ${renewed},
      status = ${isLast ? 'done' : 'running'}, finished_at = CASE WHEN ${isLast} THEN now() END
    WHERE id = ${id} AND lease = ${lease} AND status = 'running'`;
  return saved > 0;
}

/** Lets any worker continue behind the last page. */
export async function putBackBacktest(
  db: Database,
  { id, lease }: Pick<TakenBacktest, 'id' | 'lease'>,
  afterSeconds: number,
): Promise<void> {
  await db.$executeRaw`
    UPDATE policy_backtests SET leased_until = now() + make_interval(secs => ${afterSeconds})
    WHERE id = ${id} AND lease = ${lease} AND status = 'running'`;
}

export const deleteBacktestsBefore = (db: Database, moment: Date): Promise<number> =>
  db.$executeRaw`DELETE FROM policy_backtests WHERE created_at < ${instant(moment)}`;
