const FIRST_MS = 200;
const LONGEST_MS = 5_000;

/**
 * Pause before the next attempt: doubling from 200 ms, never above 5 s, and up to half of it drawn by lot so that
 * workers that failed together do not come back together.
 */
export function cappedBackoff(attemptsMade: number, random: () => number): number {
  const full = Math.min(FIRST_MS * 2 ** Math.min(attemptsMade - 1, 10), LONGEST_MS);
  return Math.round(full * (1 - random() / 2));
}
