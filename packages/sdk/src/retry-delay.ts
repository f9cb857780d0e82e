const FIRST_MS = 50;
const MAX_MS = 2_000;

/**
 * How long to wait before try number `attempt + 1`: what the server asked for, or a random part of a doubling span, so
 * that clients which failed together do not come back together.
 */
export function retryDelayMs(
  attempt: number,
  retryAfterSeconds: number | null,
  random: () => number,
): number {
  const jitter = random() * Math.min(MAX_MS, FIRST_MS * 2 ** attempt);
  return (retryAfterSeconds ?? 0) * 1_000 + jitter;
}
