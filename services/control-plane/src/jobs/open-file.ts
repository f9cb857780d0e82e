import { UPLOAD_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import type { JobFormat } from '@verdict/contracts/jobs-api.js';
import { decodeText } from './decode-text.js';
import type { FileRows } from './file-rows.js';
import { inPieces } from './in-pieces.js';
import { readCsv } from './read-csv.js';
import { readJson } from './read-json.js';
import { readJsonArray } from './read-json-array.js';
import { readJsonLines } from './read-json-lines.js';

/** Format, encoding and column that the sender declares. */
export interface FileKind {
  readonly format: JobFormat;
  readonly charset?: string | undefined;
  readonly column?: string | undefined;
}

/** Parses a file as its bytes come. */
export function openFile(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { format, charset, column }: FileKind,
) {
  const text = decodeText(inPieces(source), {
    bytesMax: UPLOAD_BYTES_MAX,
    charset,
    mayBeWindows: format === 'csv',
  });
  return { text, file: READERS[format](text.texts, column) };
}

type Read = (texts: AsyncGenerator<string>, column: string | undefined) => FileRows;

const READERS: Readonly<Record<JobFormat, Read>> = {
  csv: readCsv,
  ndjson: (texts, column) => readJson(readJsonLines(texts), column),
  json: (texts, column) => readJson(readJsonArray(texts), column),
};
