import { ROW_CHARS_MAX } from '@verdict/contracts/jobs-api.js';
import { unreadableFile } from './job-errors.js';

/** The lines of an NDJSON file as they arrive, without empty ones. */
export async function* readJsonLines(texts: AsyncGenerator<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield bounded(line.trim());
    bounded(rest);
  }
  if (rest.trim() !== '') yield bounded(rest.trim());
}

function bounded(line: string): string {
  if (line.length > ROW_CHARS_MAX) throw unreadableFile(`a line has more than ${ROW_CHARS_MAX} characters`);
  return line;
}
