import { UPLOAD_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import type { JobFormat } from '@verdict/contracts/jobs-api.js';
import { appendBulkRows, type UploadedRow, type UploadTotals } from '@verdict/db/bulk/bulk-upload.js';
import type { Database } from '@verdict/db/database/client.js';
import { decodeText } from './decode-text.js';
import type { FileRows } from './file-rows.js';
import { tooManyRows, unreadableFile } from './job-errors.js';
import { readCsv } from './read-csv.js';
import { readJson } from './read-json.js';
import { readJsonArray } from './read-json-array.js';
import { readJsonLines } from './read-json-lines.js';
import { toUploadedRow } from './to-uploaded-row.js';

/** One statement's worth: what is in memory of a file at any time. */
const BATCH_ROWS = 1_000;
const BATCH_CHARS = 1024 * 1024;

export interface Upload {
  readonly jobId: string;
  readonly source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  readonly format: JobFormat;
  /** The encoding that the sender declares. */
  readonly charset: string | undefined;
  readonly column: string | undefined;
  readonly rowsMax: number;
}

/** Takes a file to Postgres as it arrives, at the pace of Postgres. Throws what is wrong with it. */
export async function storeUpload(db: Database, upload: Upload) {
  const { jobId, source, format, charset, column, rowsMax } = upload;
  const text = decodeText(source, { bytesMax: UPLOAD_BYTES_MAX, charset, mayBeWindows: format === 'csv' });
  const file = READERS[format](text.texts, column);
  let totals: UploadTotals = { bytes: 0, rows: 0, malformed: 0, addresses: 0 };
  let batch: UploadedRow[] = [];
  let chars = 0;

  async function flush(): Promise<void> {
    const fresh = await appendBulkRows(db, jobId, batch, totals);
    totals = {
      bytes: text.bytes(),
      rows: totals.rows + batch.length,
      malformed: totals.malformed + batch.filter(({ error }) => error !== null).length,
      addresses: totals.addresses + fresh,
    };
    batch = [];
    chars = 0;
  }

  for await (const row of file.rows) {
    if (totals.rows + batch.length >= rowsMax) throw tooManyRows(rowsMax);
    batch.push(toUploadedRow(row));
    chars += row.cells.length;
    if (batch.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush();
  }
  if (batch.length > 0) await flush();
  if (totals.rows === 0) throw unreadableFile('it has no rows');
  return { layout: { ...file.layout(), bom: text.bom() }, totals: { ...totals, bytes: text.bytes() } };
}

type Read = (texts: AsyncGenerator<string>, column: string | undefined) => FileRows;

const READERS: Readonly<Record<JobFormat, Read>> = {
  csv: readCsv,
  ndjson: (texts, column) => readJson(readJsonLines(texts), column),
  json: (texts, column) => readJson(readJsonArray(texts), column),
};
