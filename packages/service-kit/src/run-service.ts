import closeWithGrace from 'close-with-grace';
import type { Logger } from './logger.js';

/** What a composition root hands back: how to stop, in the right order. */
export interface RunningService {
  /** Stop accepting, finish, flush, close. */
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 15_000;

/**
 * Starts a service and keeps it until SIGTERM or SIGINT. A start that fails says one sentence and exits with 1: the
 * operator needs the cause, not our call stack.
 */
export async function runService(log: Logger, start: () => Promise<RunningService>): Promise<void> {
  let running: RunningService;
  try {
    running = await start();
  } catch (error) {
    log.fatal({ cause: messageOf(error) }, `cannot start: ${messageOf(error)}`);
    process.exit(1);
  }
  closeWithGrace({ delay: STOP_DEADLINE_MS, logger: false }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'stopping after an unexpected error');
    else log.info({ signal }, 'stopping');
    await running.stop();
    log.info('stopped');
  });
}

export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
};
