/** Stands where an address stood; nobody can ever own it. */
export const ERASED = 'erased@erased.invalid';

/** What may stand beside an address inside a sentence without being a part of a longer one. */
const BEFORE = "(?<![\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-])";
const AFTER = '(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])';

/**
 * A JSON value without one person's address, in whatever field or sentence it stands, or null when it does not hold it.
 * An object whose `email` it is tells about that person: its IP goes as well, and its reasons, be they in its verdict.
 */
export function redactAddress<T>(value: T, spellings: readonly string[]): T | null {
  const pattern = new RegExp(`${BEFORE}(?:${spellings.map(literally).join('|')})${AFTER}`, 'giu');
  let found = false;
  const redactText = (text: string): string => {
    const redacted = text.replace(pattern, ERASED);
    found ||= redacted !== text;
    return redacted;
  };
  const text = JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field === 'string') return redactText(field);
    return isRecord(field) && spellings.includes(String(field.email).trim().toLowerCase())
      ? withoutPerson(field)
      : field;
  });
  return found ? (JSON.parse(text) as T) : null;
}

const withoutPerson = (record: Record<string, unknown>): Record<string, unknown> => ({
  ...record,
  ...('ip' in record && { ip: null }),
  ...('reasons' in record && { reasons: [] }),
  ...(isRecord(record.verdict) && { verdict: { ...record.verdict, reasons: [] } }),
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
