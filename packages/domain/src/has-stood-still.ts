/** More than a busy event loop is late. */
const STANDSTILL_MS = 500;

/**
 * Whether a timer of so many milliseconds fired so late that the process stood still meanwhile, often with its whole
 * machine: what it waits for stood still too, or has long been there to be read.
 */
export const hasStoodStill = (timeoutMs: number, waitedMs: number): boolean =>
  waitedMs > timeoutMs + STANDSTILL_MS;
