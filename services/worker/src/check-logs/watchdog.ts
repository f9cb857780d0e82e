interface Pulse {
  /** Jobs that wait for a consumer; null when nobody could tell. */
  readonly waiting: number | null;
  /** Anything that rises while the consumer works, whether or not it gets anywhere. */
  readonly signsOfLife: number;
}

/**
 * Tells when a consumer has silently stopped: jobs wait, and for a while it did not so much as try. Seen in several
 * releases of BullMQ after a reconnect; a fresh process is the one cure that always works. A consumer whose statements
 * fail, because Postgres is away, read-only or somebody holds a lock, is alive: starting over would only lose its place.
 * By a clock that only ever rises.
 */
export function createWatchdog(silenceMaxMs: number): (pulse: Pulse, nowMs: number) => boolean {
  let lastSigns = -1;
  let lastProgressMs = 0;
  return ({ waiting, signsOfLife }, nowMs) => {
    if (signsOfLife !== lastSigns || waiting === null || waiting === 0) {
      lastSigns = signsOfLife;
      lastProgressMs = nowMs;
      return false;
    }
    return nowMs - lastProgressMs >= silenceMaxMs;
  };
}
