/** Twice the places of a client, so that one moment in which all of them are late does not open it. */
const RECENT = 128;
const ENOUGH = 10;

/** Stops retries while more than half of the recent tries failed: repeating them would keep a struggling service down. */
export interface RetryBreaker {
  record(isFailure: boolean): void;
  isOpen(): boolean;
}

export function createRetryBreaker(): RetryBreaker {
  const recent: boolean[] = [];
  return {
    record(isFailure) {
      recent.push(isFailure);
      if (recent.length > RECENT) recent.shift();
    },
    isOpen: () => recent.length >= ENOUGH && recent.filter(Boolean).length * 2 > recent.length,
  };
}
