import type { Database } from '@verdict/db/client.js';
import { findUnprojected } from '@verdict/db/outbox.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';

interface RelayOptions {
  readonly db: Database;
  readonly project: (accountId: string) => Promise<boolean>;
  /** Looked after in the same rhythm. */
  readonly everyRound: () => Promise<void>;
  readonly onHealed: () => void;
  readonly intervalMs: number;
  readonly log: Logger;
}

export interface Relay {
  /** One round; resolves with how many accounts were brought up to date. */
  runOnce(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

const ACCOUNTS_PER_ROUND_MAX = 100;
const FAILURES_IN_ROW_MAX = 3;

/**
 * Finishes what a request began: an account whose newest version did not reach Redis, because the process died between
 * commit and projection or because Redis was away. Every replica runs one; doing it twice is harmless, because Redis
 * refuses what is not newer.
 */
export function createRelay({ db, project, everyRound, onHealed, intervalMs, log }: RelayOptions): Relay {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();
  let failing = false;

  async function runOnce(): Promise<number> {
    const accountIds = await findUnprojected(db, ACCOUNTS_PER_ROUND_MAX);
    let failure: unknown;
    let failuresInRow = 0;
    for (const accountId of accountIds) {
      try {
        await project(accountId);
        failuresInRow = 0;
        onHealed();
        log.warn({ accountId }, 'projected an account that a request left behind');
      } catch (error) {
        // One account that cannot be projected must not stop the others; three in a row are an outage.
        failure = error;
        if (++failuresInRow === FAILURES_IN_ROW_MAX) break;
      }
    }
    if (failure !== undefined) throw failure;
    return accountIds.length;
  }

  async function tick(): Promise<void> {
    try {
      await everyRound();
      await runOnce();
      if (failing) log.info('the relay works again');
      failing = false;
    } catch (error) {
      // Said once per outage, not once per second.
      if (!failing) log.error({ err: messageOf(error) }, 'the relay cannot project');
      failing = true;
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      round = tick().finally(() => timer && schedule());
    }, intervalMs);
  }

  return {
    runOnce,
    start: schedule,
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await round;
    },
  };
}
