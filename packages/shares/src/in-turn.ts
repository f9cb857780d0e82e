import type { Refusal, Semaphore, Share } from './semaphore.js';

export interface Wait {
  /** Aborted when the caller has gone, which ends the wait; undefined where no caller can go. */
  readonly signal: AbortSignal | undefined;
  readonly isUnderWay?: boolean;
}

interface Turn extends Wait {
  /** Accounts or addresses that take the share. Without them one caller could take everything. */
  readonly owners: readonly string[];
  /** When the queue is full. */
  readonly refusal: (why: Refusal) => Error;
  /** Its owners rest for so many times as long as the work took, so that they cannot work back to back. */
  readonly rest?: number;
}

/** The longest rest: work that took long waited for Postgres, which is limited elsewhere. */
const REST_MS_MAX = 3_000;

/** Runs `work` with a share of `semaphore`, now or in turn. */
export function inTurn<T>(
  semaphore: Semaphore,
  work: () => Promise<T>,
  { owners, refusal, signal, isUnderWay = false, rest = 0 }: Turn,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      if (typeof place !== 'string' && place.leave()) reject(signal?.reason);
    };
    const begin = (share: Share) => {
      signal?.removeEventListener('abort', leave);
      const beganAt = performance.now();
      const restMs = () => Math.min(REST_MS_MAX, rest * (performance.now() - beganAt));
      work()
        .finally(() => share.release(restMs()))
        .then(resolve, reject);
    };
    signal?.addEventListener('abort', leave);
    const place = semaphore.enter(owners, begin, { isUnderWay });
    if (typeof place !== 'string') return;
    signal?.removeEventListener('abort', leave);
    reject(refusal(place));
  });
}
