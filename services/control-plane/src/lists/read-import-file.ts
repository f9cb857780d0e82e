import { IMPORT_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { parse } from 'csv-parse/sync';
import { decodeText } from '../jobs/decode-text.js';
import { findDelimiter, LINE_ENDS } from '../jobs/find-delimiter.js';
import { charsetOf } from '../jobs/find-encoding.js';
import { unreadableFile } from '../jobs/job-errors.js';

interface FileRow {
  readonly value: string;
  readonly note: string;
}

/**
 * The rows of a list as CSV: what `export.csv` gives, or any file with a column `value` and perhaps one named `note`; without
 * such a header, the first column and the second.
 */
export async function readImportFile(bytes: Uint8Array, contentType: string | undefined): Promise<FileRow[]> {
  const text = await readText(bytes, contentType);
  const [head = [], ...rest] = records(text);
  const names = head.map((cell) => cell.trim().toLowerCase());
  const isNamed = names.includes('value');
  const valueAt = isNamed ? names.indexOf('value') : 0;
  const noteAt = isNamed ? names.indexOf('note') : 1;
  const rows = isNamed || head.length === 0 ? rest : [head, ...rest];
  return rows.map((row) => ({ value: plain(row[valueAt]), note: plain(row[noteAt]) }));
}

async function readText(bytes: Uint8Array, contentType: string | undefined): Promise<string> {
  const charset = charsetOf(contentType);
  const { texts } = decodeText([bytes], { bytesMax: IMPORT_BYTES_MAX, charset, mayBeWindows: true });
  let text = '';
  for await (const part of texts) text += part;
  return text;
}

function records(text: string): string[][] {
  const { delimiter, isTold } = findDelimiter(/^[^\r\n]*/.exec(text)?.[0] ?? '');
  try {
    return parse(text, {
      delimiter,
      record_delimiter: LINE_ENDS,
      from: isTold ? 2 : 1,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    throw unreadableFile('its CSV is broken; check for an unclosed quote', error);
  }
}

/** An export puts a quote before what a spreadsheet would run as a formula. */
const plain = (cell = ''): string => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '');
