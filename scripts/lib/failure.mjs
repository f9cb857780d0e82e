const LINES = 12;

/** Something the person at the console can act on: one sentence, perhaps a log and its last lines, never a stack. */
export class Failure extends Error {
  /** @param {string} sentence @param {string} [said] @param {string} [log] @param {number} [lines] */
  constructor(sentence, said = '', log = undefined, lines = LINES) {
    const last = said.trimEnd().split('\n').filter(Boolean).slice(-lines);
    super(
      [sentence, ...(log ? [`Log: ${log}`] : []), ...last.map((line) => `  | ${readable(line)}`)].join('\n'),
    );
  }
}

/** The services log JSON for machines; a person gets the sentence in it. @param {string} line */
function readable(line) {
  try {
    return JSON.parse(line).msg ?? line;
  } catch {
    return line;
  }
}
