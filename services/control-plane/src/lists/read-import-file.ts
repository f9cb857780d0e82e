import { IMPORT_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { parse } from 'csv-parse/sync';
import { decodeText } from '../jobs/decode-text.js';
import { findDelimiter, LINE_ENDS } from '../jobs/find-delimiter.js';
import { charsetOf } from '../jobs/find-encoding.js';
import { unreadableFile } from '../jobs/job-errors.js';

const COLUMNS = ['value', 'note', 'match', 'expires_at'] as const;
type FileRow = Record<(typeof COLUMNS)[number], string>;

/**
 * The rows of a list as CSV: what `export.csv` gives, or any file with a column `value` and perhaps others of its names;
 * without such a header, the first column and the second are value and note.
 */
export async function readImportFile(bytes: Uint8Array, contentType: string | undefined): Promise<FileRow[]> {
  const text = await readText(bytes, contentType);
  const [head = [], ...rest] = records(text);
  const names = head.map((cell) => cell.trim().toLowerCase());
  const isNamed = names.includes('value');
  const places = COLUMNS.map(
    (column, i) => [column, isNamed ? names.indexOf(column) : i < 2 ? i : -1] as const,
  );
  const rows = isNamed || head.length === 0 ? rest : [head, ...rest];
  return rows.map(
    (row) => Object.fromEntries(places.map(([column, at]) => [column, plain(row[at])])) as FileRow,
  );
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
