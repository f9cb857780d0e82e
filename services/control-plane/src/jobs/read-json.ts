import { COLUMNS_MAX, ROW_CHARS_MAX } from '@verdict/contracts/jobs-api.js';
import type { FileRow, FileRows } from './file-rows.js';
import { findEmailColumn, otherEmailColumns } from './find-email-column.js';
import { noEmailColumn, unreadableFile } from './job-errors.js';

/**
 * Rows of a JSON file, each as its own text: objects, or bare addresses. Object text is kept unchanged, so that large
 * numbers survive; the first row decides which member holds the address.
 */
export function readJson(elements: AsyncGenerator<string>, wanted: string | undefined): FileRows {
  const columns = new Set<string>();
  /** Of all names: every job of a listing repeats them. */
  let chars = 0;
  let key: string | undefined;
  let others: readonly number[] = [];

  async function* read(): AsyncGenerator<FileRow> {
    for await (const text of elements) {
      const value = parsed(text);
      if (key === undefined && value === undefined) throw unreadableFile('its first row is not JSON');
      const row = toObject(value, text);
      for (const name of row.names) {
        if (columns.has(name)) continue;
        columns.add(name);
        chars += name.length;
      }
      if (columns.size > COLUMNS_MAX) throw unreadableFile(`it has more than ${COLUMNS_MAX} columns`);
      if (chars > ROW_CHARS_MAX)
        throw unreadableFile(`the names of its columns have more than ${ROW_CHARS_MAX} characters`);
      if (key === undefined) {
        const position = findEmailColumn(row.names, typeof value === 'string' ? undefined : wanted);
        if (position === -1) throw noEmailColumn(row.names);
        key = row.names[position] as string;
        others = wanted === undefined ? otherEmailColumns(row.names, position) : [];
      }
      const email = row.members[key];
      yield typeof email === 'string'
        ? { cells: row.text, email }
        : { cells: row.text, email: undefined, ...(row.fault !== undefined && { fault: row.fault }) };
    }
  }

  return {
    rows: read(),
    layout: () => ({
      columns: [...columns],
      column: key === undefined ? null : [...columns].indexOf(key),
      others,
      delimiter: ',',
    }),
  };
}

interface ReadObject {
  readonly text: string;
  readonly names: readonly string[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly fault?: string;
}

const BARE = 'email';

function toObject(value: unknown, text: string): ReadObject {
  if (typeof value === 'string') {
    return { text: `{"${BARE}":${text}}`, names: [BARE], members: { [BARE]: value } };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { text, names: Object.keys(value), members: value as Record<string, unknown> };
  }
  const shown = value === undefined ? JSON.stringify(text) : text;
  return { text: `{"value":${shown}}`, names: ['value'], members: {}, fault: 'the row is not a JSON object' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
