import { type Month, monthBounds } from '../month.js';

const DAY_MS = 86_400_000;

/**
 * Checks of a whole month when it continues as it began, at most `limit`. Its first day counts as a whole one, because an hour
 * of traffic says little about a month.
 */
export function expectedUse(used: number, month: Month, now: Date, limit: number): number {
  const { start, end } = monthBounds(month);
  const elapsedMs = Math.max(now.getTime() - start.getTime(), DAY_MS);
  const expected = Math.round((used * (end.getTime() - start.getTime())) / elapsedMs);
  return Math.max(used, Math.min(expected, limit));
}
