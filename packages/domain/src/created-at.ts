/**
 * `2026-11-14T23:59:16.123456+00:00` from microseconds since the epoch, which a double holds exactly until 2255. JS
 * dates and Prisma carry milliseconds, so the string is made once, here, and stays a string until timestamptz(6).
 */
export function formatCreatedAt(microseconds: number): string {
  if (microseconds === cachedMicros) return cachedResult;
  const seconds = Math.floor(microseconds / 1_000_000);
  const fraction = microseconds - seconds * 1_000_000;
  // Consecutive checks share their second: the calendar part is made once per second, not once per check.
  if (seconds !== cachedSecond) {
    cachedSecond = seconds;
    cachedText = new Date(seconds * 1000).toISOString().slice(0, 20);
  }
  // Checks of one batch share their microsecond too.
  cachedMicros = microseconds;
  cachedResult = `${cachedText}${String(fraction).padStart(6, '0')}+00:00`;
  return cachedResult;
}

let cachedSecond = Number.NaN;
let cachedText = '';
let cachedMicros = Number.NaN;
let cachedResult = '';
