import { setTimeout as delay } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Logger } from './logger.js';

/** The stop function of a composition root, in the right order. */
export interface RunningService {
  /** Stop accepting, finish, flush, close. */
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 15_000;
/** How long a stop waits for a running start. Listeners come last, so a longer start has accepted nothing. */
const START_GRACE_MS = 2_000;

/**
 * Starts a service and keeps it until SIGTERM or SIGINT, which are heard before the start begins: a replica that is taken
 * away while it comes up, or in the instant in which it got ready, stops in order too. A start that fails says one
 * sentence and exits with 1: the operator needs the cause, not our call stack.
 */
export async function runService(log: Logger, start: () => Promise<RunningService>): Promise<void> {
  let starting: Promise<RunningService> | undefined;
  let stopping = false;
  // Not on beforeExit: a start that waits for nothing must end as the error that it is.
  closeWithGrace(
    {
      delay: STOP_DEADLINE_MS,
      logger: false,
      skip: ['beforeExit'],
      onTimeout: (afterMs) => log.fatal({ afterMs }, 'the stop took too long and was broken off'),
      onSecondError: (err) => log.fatal({ err }, 'the stop was broken off after another unexpected error'),
      onSecondSignal: (signal) => log.fatal({ signal }, 'the stop was broken off by a second signal'),
    },
    async ({ signal, err }) => {
      stopping = true;
      if (err) log.fatal({ err }, 'stopping after an unexpected error');
      else log.info({ signal }, 'stopping');
      const running = await Promise.race([starting?.catch(() => undefined), delay(START_GRACE_MS)]);
      try {
        await running?.stop();
      } catch (error) {
        log.fatal({ err: error }, 'the stop failed');
        throw error;
      }
      log.info('stopped');
    },
  );
  starting = start();
  try {
    await starting;
  } catch (error) {
    // A service asked to stop exits cleanly even if it could not have started.
    if (stopping) return;
    log.fatal({ cause: messageOf(error) }, `cannot start: ${messageOf(error)}`);
    process.exit(1);
  }
}

export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
};
