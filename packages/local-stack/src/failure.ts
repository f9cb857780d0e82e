const LINES = 12;

/** Something the person at the console can act on: one sentence, perhaps a log and its last lines, never a stack. */
export class Failure extends Error {
  constructor(sentence: string, said = '', log?: string, lines = LINES) {
    const last = said.trimEnd().split('\n').filter(Boolean).slice(-lines);
    super(
      [sentence, ...(log ? [`Log: ${log}`] : []), ...last.map((line) => `  | ${readable(line)}`)].join('\n'),
    );
  }
}

/** The services log JSON for machines; a person gets the sentence in it. */
function readable(line: string): string {
  try {
    return (JSON.parse(line) as { msg?: string }).msg ?? line;
  } catch {
    return line;
  }
}
