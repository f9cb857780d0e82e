/** Replaces an erased address; it can never be registered. */
export const ERASED = 'erased@erased.invalid';

/** Characters that may surround an address in a sentence without being part of a longer one. */
const BEFORE = "(?<![\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-])";
const AFTER = '(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])';

/**
 * A JSON value without one person's address in any field or sentence, or null if it has none. An object whose `email`
 * it is also loses its IP and reasons.
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
