const INSTANT = /^(20\d\d-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)$/;

/** Microseconds since the epoch of an RFC 3339 text with its offset; null for any other text. A Date would drop three digits. */
export function instantMicros(text: string): number | null {
  const [whole, day = '', hour, minute, second, fraction = '', offset] = INSTANT.exec(text) ?? [];
  if (whole === undefined || !isDay(day)) return null;
  const ms = Date.parse(`${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(ms) ? null : ms * 1_000 + Number(fraction.padEnd(6, '0'));
}

/** The 31st of a shorter month would silently become the 1st of the next. */
function isDay(day: string): boolean {
  const start = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(day);
}
