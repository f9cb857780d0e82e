import { failBacktest, type TakenBacktest, takeBacktests } from '@verdict/db/policies/backtest-queue.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { Work } from '@verdict/db/work/run-work.js';
import { type BacktestDependencies, runBacktest } from './run-backtest.js';

/** A long backtest gives way to the others after so long. */
const TURN_MS = 5_000;
const PAGE_MAX = 500;

/** Runs backtests one at a time; one of a worker that died is taken up behind its last page. */
export const backtestWork = (deps: Omit<BacktestDependencies, 'pageMax'>): Work<TakenBacktest> => ({
  queue: QUEUES.backtests,
  take: (places) => takeBacktests(deps.db, places),
  async run(taken, closing) {
    const until = performance.now() + TURN_MS;
    const isOver = () => closing.aborted || performance.now() > until;
    return (await runBacktest({ ...deps, pageMax: PAGE_MAX }, taken, isOver)) ? null : 0;
  },
  giveUp: async (taken) => void (await failBacktest(deps.db, taken)),
});
