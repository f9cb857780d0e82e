import {
  endBacktestAt,
  failBacktest,
  type TakenBacktest,
  takeBacktests,
} from '@verdict/db/policies/backtest-queue.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { Work } from '@verdict/db/work/run-work.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { type BacktestDependencies, runBacktest } from './run-backtest.js';
import { storedUntil } from './stored-until.js';

/** A long backtest gives way to the others after so long. */
const TURN_MS = 5_000;
const PAGE_MAX = 500;

/**
 * Runs backtests one at a time; one of a worker that died is taken up behind its last page. Before its first page its period
 * is ended at the oldest queued check, or it would pass checks that are stored later.
 */
export const backtestWork = (
  deps: Omit<BacktestDependencies, 'pageMax'> & AccountStore,
): Work<TakenBacktest> => ({
  queue: QUEUES.backtests,
  take: (places) => takeBacktests(deps.db, places),
  async run(taken, closing) {
    const until = performance.now() + TURN_MS;
    const isOver = () => closing.aborted || performance.now() > until;
    const to = taken.result === null ? await endOf(deps, taken) : taken.to;
    return (await runBacktest({ ...deps, pageMax: PAGE_MAX }, { ...taken, to }, isOver)) ? null : 0;
  },
  giveUp: async (taken) => void (await failBacktest(deps.db, taken)),
});

async function endOf(deps: Pick<BacktestDependencies, 'db'> & AccountStore, taken: TakenBacktest) {
  // A millisecond more, because the text has microseconds.
  const wantedMs = Date.parse(taken.to) + 1;
  return endBacktestAt(deps.db, taken, await storedUntil(deps, taken.account_id, wantedMs));
}
