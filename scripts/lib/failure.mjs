/** Something the person at the console can act on: one sentence, perhaps a log and its last lines, never a stack. */
export class Failure extends Error {
  /**
   * @param {string} sentence
   * @param {{ log?: string, tail?: string[] }} [detail]
   */
  constructor(sentence, { log, tail = [] } = {}) {
    super(sentence);
    this.log = log;
    this.tail = tail;
  }
}

/** @param {unknown} error */
export function describeFailure(error) {
  if (!(error instanceof Failure))
    return `Unexpected: ${error instanceof Error ? error.message : String(error)}`;
  const lines = [error.message];
  if (error.log) lines.push(`Log: ${error.log}`);
  for (const line of error.tail) lines.push(`  | ${readable(line)}`);
  return lines.join('\n');
}

/** The services log JSON for machines; a person gets the sentence in it. */
function readable(line) {
  try {
    return JSON.parse(line).msg ?? line;
  } catch {
    return line;
  }
}
