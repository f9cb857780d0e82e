/** Standard Webhooks: after the first attempt nine more, spread over three days. */
export const WEBHOOK_RETRY_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** However long a receiver asks us to wait. */
const RETRY_AFTER_SECONDS_MAX = 3_600;
/** A pause is lengthened by up to this share, so that what failed together does not come back together. */
const JITTER = 0.2;

/** Failures in a row after which an endpoint is left alone for a while. */
export const CIRCUIT_FAILURES = 5;
const CIRCUIT_FIRST_SECONDS = 15;
const CIRCUIT_LONGEST_SECONDS = 600;

/** The longest pauses, with their jitter: a moment further ahead was written before a clock was set back. */
export const WEBHOOK_WAIT_SECONDS_MAX = Math.ceil(99_999 * (1 + JITTER));
export const CIRCUIT_PAUSE_SECONDS_MAX = Math.ceil(CIRCUIT_LONGEST_SECONDS * (1 + JITTER));

/** The delay after this many failed attempts; null when there were enough. */
export function retryDelayMs(
  attemptsFailed: number,
  scheduleSeconds: readonly number[],
  retryAfterSeconds: number | null,
  random: () => number,
): number | null {
  const planned = scheduleSeconds[attemptsFailed - 1];
  if (planned === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX);
  return Math.round(Math.max(planned, asked) * 1_000 * (1 + JITTER * random()));
}

/** How long the circuit stays open after this many failures in a row; then one probe decides. 0 while it is closed. */
export function circuitPauseMs(failuresInARow: number, random: () => number): number {
  if (failuresInARow < CIRCUIT_FAILURES) return 0;
  const doubled = CIRCUIT_FIRST_SECONDS * 2 ** Math.min(failuresInARow - CIRCUIT_FAILURES, 10);
  return Math.round(Math.min(doubled, CIRCUIT_LONGEST_SECONDS) * 1_000 * (1 + JITTER * random()));
}
