interface Pulse {
  /** Jobs that wait for a consumer; null when unknown. */
  readonly waiting: number | null;
  /** Anything that rises while the consumer works, whether or not it gets anywhere. */
  readonly signsOfLife: number;
}

/**
 * Detects a consumer that has silently stopped: jobs wait and it has not tried for a while, by a monotonic clock.
 * Several releases of BullMQ did so after a reconnect and only a new process helps; a consumer whose statements fail
 * is alive.
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
