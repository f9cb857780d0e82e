/**
 * A value as JSON with the names of every object in order and no spaces, so that equal values have equal texts. Statements
 * store this text, and their checksum is its SHA-256.
 */
export const canonicalText = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
