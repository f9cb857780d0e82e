/** Addresses in one step, at most: much less than what would make others wait for Redis. */
const CHUNK_MAX = 500;

interface Standing {
  /** Checks per second of the key. */
  readonly rate: number;
  /** Checks that the month has left. */
  readonly quotaLeft: number;
}

/** How many addresses the next chunk has: never more than half a second of the key's rate, so that the other half is free. */
export const chunkSize = ({ rate, quotaLeft }: Standing): number =>
  Math.min(CHUNK_MAX, Math.max(1, Math.floor(rate / 2)), quotaLeft);

/**
 * How long to wait after a chunk so that all jobs of a key stay at half of its rate. The time of the chunk is part of
 * the wait.
 */
export const pauseAfterMs = (checks: number, rate: number, sharing: number, tookMs: number): number =>
  Math.max(0, (checks * Math.max(1, sharing) * 1_000) / (rate / 2) - tookMs);
