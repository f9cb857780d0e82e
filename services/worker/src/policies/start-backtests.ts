import { putBackBacktest, takeBacktest } from '@verdict/db/policies/backtest-queue.js';
import { every } from '@verdict/service-kit/every.js';
import { type BacktestDependencies, runBacktest } from './run-backtest.js';

interface Options extends Omit<BacktestDependencies, 'pageMax'> {
  readonly onError: (error: unknown) => void;
}

const LOOK_EVERY_MS = 1_000;
/** A long backtest gives way to the others after so long. */
const TURN_MS = 5_000;
/** How long a backtest is left alone after a failure. */
const RETRY_SECONDS = 5;
const PAGE_MAX = 500;

/**
 * Runs backtests one at a time, leased from Postgres: one of a worker that died is taken up behind its last page when
 * the lease ends.
 */
export function startBacktests({ onError, ...deps }: Options) {
  const { db } = deps;
  let isClosing = false;

  async function runAll(): Promise<void> {
    while (!isClosing) {
      const taken = await takeBacktest(db);
      if (!taken) return;
      const until = performance.now() + TURN_MS;
      const isOver = () => isClosing || performance.now() > until;
      const isDone = await runBacktest({ ...deps, pageMax: PAGE_MAX }, taken, isOver).catch(async (error) => {
        onError(error);
        await putBackBacktest(db, taken, RETRY_SECONDS);
        return true;
      });
      if (!isDone) await putBackBacktest(db, taken, 0);
    }
  }
  const stop = every(LOOK_EVERY_MS, runAll, onError);

  return {
    /** Ends behind the page in hand and gives the backtest back. */
    async close() {
      isClosing = true;
      await stop();
    },
  };
}
