import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.js';
import { messageOf } from './run-service.js';

const RETRY_MS = 2_000;

/**
 * Repeats a step of a start for so many seconds, because an orchestrator waits longer and longer before it starts a process
 * that exits. Without seconds the first failure is the last.
 */
export async function bePatient<T>(seconds: number, log: Logger, step: () => Promise<T>): Promise<T> {
  const endsMs = Date.now() + seconds * 1_000;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (Date.now() >= endsMs) throw error;
      log.warn({ cause: messageOf(error) }, `cannot start yet: ${messageOf(error)}`);
      await delay(RETRY_MS);
    }
  }
}
