import type { Refusal, Semaphore, Share } from './semaphore.js';

export interface Wait {
  /** Aborted when the caller has gone, which ends the wait. */
  readonly signal?: AbortSignal;
  readonly isUnderWay?: boolean;
}

interface Turn extends Wait {
  readonly owners?: readonly string[];
  /** When the queue is full. */
  readonly refusal: (why: Refusal) => Error;
}

/** Runs `work` with a share of `semaphore`, now or in turn. */
export function inTurn<T>(
  semaphore: Semaphore,
  work: () => Promise<T>,
  { owners = [], refusal, signal, isUnderWay = false }: Turn,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const leave = () => {
      if (typeof place !== 'string' && place.leave()) reject(signal?.reason);
    };
    const begin = (share: Share) => {
      signal?.removeEventListener('abort', leave);
      work()
        .finally(() => share.release())
        .then(resolve, reject);
    };
    signal?.addEventListener('abort', leave);
    const place = semaphore.enter(owners, begin, { isUnderWay });
    if (typeof place !== 'string') return;
    signal?.removeEventListener('abort', leave);
    reject(refusal(place));
  });
}
