/** The keys under which the service remembers an answer, so that a call which is sent again does not count again. */
export interface OnceKeys {
  /** A key for one call; undefined where none is to be sent. */
  next(): string | undefined;
  /** The service remembers no more answers today: no keys for so long. */
  pause(seconds: number): void;
}

export function createOnceKeys(isWanted: boolean, nowMs: () => number): OnceKeys {
  let pausedUntilMs = 0;
  return {
    next: () => (isWanted && nowMs() >= pausedUntilMs ? crypto.randomUUID() : undefined),
    pause(seconds) {
      pausedUntilMs = nowMs() + seconds * 1_000;
    },
  };
}
