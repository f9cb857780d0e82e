import { ROW_CHARS_MAX } from '@verdict/contracts/jobs-api.js';
import { unreadableFile } from './job-errors.js';

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/**
 * Yields the elements of a JSON array as they arrive, each as text. Only brackets and quotes decide where one ends,
 * and line breaks outside strings become spaces.
 */
export async function* readJsonArray(texts: AsyncGenerator<string>): AsyncGenerator<string> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let ended = false;
  let element = '';

  for await (const text of texts) {
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
        continue;
      }
      if (depth === 0) {
        if (text.slice(i, i + 1).trim() === '') continue;
        if (ended || text[i] !== '[') throw notAnArray();
        depth = 1;
        from = i + 1;
      } else if (code === QUOTE) {
        inString = true;
      } else if (OPENING.has(code)) {
        depth++;
      } else if (CLOSING.has(code)) {
        depth--;
        if (depth > 0) continue;
        const last = whole(element + text.slice(from, i));
        element = '';
        ended = true;
        if (last !== '') yield last;
      } else if (code === COMMA && depth === 1) {
        const next = whole(element + text.slice(from, i));
        if (next === '') throw notAnArray();
        element = '';
        from = i + 1;
        yield next;
      }
    }
    if (depth > 0) element += text.slice(from);
    if (element.length > ROW_CHARS_MAX) throw tooLong();
  }
  if (!ended) throw notAnArray();
}

function whole(element: string): string {
  if (element.length > ROW_CHARS_MAX) throw tooLong();
  return element.replace(/[\r\n]+/g, ' ').trim();
}

const tooLong = () => unreadableFile(`an element has more than ${ROW_CHARS_MAX} characters`);
const notAnArray = () => unreadableFile('it is not a JSON array of objects or addresses');
