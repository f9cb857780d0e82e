const LINE_FEED = 10;

/**
 * The lines that end in one of the endings, in lower case. A web ranking has a million lines of which some thousands are ever
 * asked for; all of them as strings take half a gigabyte, which is more than a worker has.
 */
export function keepLinesUnder(bytes: Buffer, endings: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed === -1 ? bytes.length : feed;
    const line = bytes.toString('utf8', start, end).trim().toLowerCase();
    if (isUnder(line, endings)) kept.push(line);
    start = end + 1;
  }
  return kept;
}

function isUnder(line: string, endings: ReadonlySet<string>): boolean {
  for (let dot = line.indexOf('.'); dot !== -1; dot = line.indexOf('.', dot + 1))
    if (endings.has(line.slice(dot + 1))) return true;
  return false;
}
