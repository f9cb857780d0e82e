const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;

/** How long ago an id such as `log_01M7…` was created, from the time in its ULID; Infinity for anything else. */
export function idAgeMs(id: string, now: number): number {
  const ulid = /^[a-z]{2,4}_([0-9A-HJKMNP-TV-Z]{26})$/.exec(id)?.[1];
  if (!ulid) return Number.POSITIVE_INFINITY;
  let at = 0;
  for (const character of ulid.slice(0, TIME_CHARS)) at = at * ALPHABET.length + ALPHABET.indexOf(character);
  return now - at;
}
