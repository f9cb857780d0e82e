const MINUTE = 'YYYY-MM-DDTHH:MM'.length;

const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `until 20 Nov 2026, 14:00 UTC`, or `ended …` from then on. Other text stays as it is. */
export function endWords(endsAt: string, now: number): string {
  const ms = Date.parse(endsAt);
  if (Number.isNaN(ms)) return `until ${endsAt}`;
  return `${ms > now ? 'until' : 'ended'} ${moments.format(ms)} UTC`;
}

/** `2026-11-20T14:00`, as the field of a browser has it; here it is UTC. */
export function minuteOf(endsAt: string | null | undefined): string {
  const ms = Date.parse(endsAt ?? '');
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, MINUTE);
}

/** The end that a field holds; undefined for an empty one. */
export const endOf = (minute: string): string | undefined =>
  minute === '' ? undefined : `${minute.slice(0, MINUTE)}:00Z`;
