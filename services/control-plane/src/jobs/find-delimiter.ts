const DELIMITERS = [',', ';', '\t'] as const;
const QUOTE = '"';
/** In every CSV file, also mixed: a header from Windows, rows that a script appended. The longest comes first. */
export const LINE_ENDS = ['\r\n', '\n', '\r'];
/** A line that spreadsheets write to say how cells are separated, not a header. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?$/i;

export interface Separation {
  readonly delimiter: string;
  /** The first line only says what separates cells. */
  readonly isTold: boolean;
}

/** Finds the delimiter of a CSV file in its first line: the one that `sep=` names, or the most frequent one outside quotes. */
export function findDelimiter(line: string): Separation {
  const told = SEPARATOR_LINE.exec(line.trim())?.[1];
  return told === undefined
    ? { delimiter: commonest(line), isTold: false }
    : { delimiter: told, isTold: true };
}

function commonest(line: string): string {
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
