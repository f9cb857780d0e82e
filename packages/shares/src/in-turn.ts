import type { Semaphore } from './semaphore.js';

interface Turn {
  readonly owners?: readonly string[];
  /** When the queue is full. */
  readonly refusal: () => Error;
}

/** Runs `work` with a share of `semaphore`, now or in turn. */
export function inTurn<T>(
  semaphore: Semaphore,
  work: () => Promise<T>,
  { owners = [], refusal }: Turn,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const place = semaphore.enter(owners, (share) => {
      work()
        .finally(() => share.release())
        .then(resolve, reject);
    });
    if (typeof place === 'string') reject(refusal());
  });
}
