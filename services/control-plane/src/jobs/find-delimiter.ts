const DELIMITERS = [',', ';', '\t'] as const;
const QUOTE = '"';

/** The delimiter of a CSV file: the one that occurs most outside quotes in its first line. */
export function findDelimiter(line: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((each) => [each, 0]));
  let quoted = false;
  for (const character of line) {
    if (character === QUOTE) quoted = !quoted;
    const count = counts.get(character);
    if (!quoted && count !== undefined) counts.set(character, count + 1);
  }
  const [most = ','] = [...DELIMITERS].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return most;
}
