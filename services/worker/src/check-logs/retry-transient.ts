import { setTimeout as pause } from 'node:timers/promises';

interface RetryOptions {
  readonly isTransient: (error: unknown) => boolean;
  readonly pauseMs: (attempt: number) => number;
  readonly onRetry: (error: unknown, attempt: number) => void;
  /** Stops the waiting: the job then goes back to the queue. */
  readonly signal: AbortSignal;
}

/**
 * Retries until it works. Waiting for the database with the job keeps the order of the queue, and no job collects
 * failures that are not its fault.
 */
export async function retryTransient<T>(run: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!options.isTransient(error) || options.signal.aborted) throw error;
      options.onRetry(error, attempt);
      await pause(options.pauseMs(attempt), undefined, { signal: options.signal }).catch(() => {
        throw error;
      });
    }
  }
}
