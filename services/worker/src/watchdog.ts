interface Pulse {
  readonly waiting: number;
  readonly finished: number;
}

/**
 * Tells when a consumer has silently stopped: jobs wait, none was finished for a while, and Postgres is not to blame.
 * Seen in several releases of BullMQ after a reconnect; a fresh process is the one cure that always works.
 */
export function createWatchdog(
  silenceMaxMs: number,
): (pulse: Pulse, nowMs: number, postgresHealthy: boolean) => boolean {
  let lastFinished = -1;
  let lastProgressMs = 0;
  return ({ waiting, finished }, nowMs, postgresHealthy) => {
    if (finished !== lastFinished || waiting === 0 || !postgresHealthy) {
      lastFinished = finished;
      lastProgressMs = nowMs;
      return false;
    }
    return nowMs - lastProgressMs >= silenceMaxMs;
  };
}
