import { unreadableFile } from '@verdict/service-kit/errors.js';
import { parse } from 'csv-parse/sync';
import { findDelimiter } from '../jobs/find-delimiter.js';

interface FileRow {
  readonly value: string;
  readonly note: string;
}

/**
 * The rows of a list as CSV: what `export.csv` gives, or any file with a column `value` and perhaps one named `note`; without
 * such a header, the first column and the second.
 */
export function readImportFile(bytes: Uint8Array): FileRow[] {
  const text = decode(bytes);
  const [head = [], ...rest] = records(text);
  const names = head.map((cell) => cell.trim().toLowerCase());
  const isNamed = names.includes('value');
  const valueAt = isNamed ? names.indexOf('value') : 0;
  const noteAt = isNamed ? names.indexOf('note') : 1;
  const rows = isNamed || head.length === 0 ? rest : [head, ...rest];
  return rows.map((row) => ({ value: plain(row[valueAt]), note: plain(row[noteAt]) }));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadableFile('it is not text in UTF-8; save it as CSV in UTF-8');
  }
}

function records(text: string): string[][] {
  const delimiter = findDelimiter(/^[^\r\n]*/.exec(text)?.[0] ?? '');
  try {
    return parse(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch (error) {
    throw unreadableFile('its CSV is broken; check for an unclosed quote', error);
  }
}

/** An export puts a quote before what a spreadsheet would run as a formula. */
const plain = (cell = ''): string => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '');
