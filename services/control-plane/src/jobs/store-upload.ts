import { appendBulkRows, type UploadedRow, type UploadTotals } from '@verdict/db/bulk/bulk-upload.js';
import type { Database } from '@verdict/db/database/client.js';
import { jobState, type RowsLimit, tooManyRows, unreadableFile } from './job-errors.js';
import { type FileKind, openFile } from './open-file.js';
import { toUploadedRow } from './to-uploaded-row.js';

/** One statement's worth: what is in memory of a file at any time. */
const BATCH_ROWS = 1_000;
const BATCH_CHARS = 1024 * 1024;

export interface Upload extends FileKind, RowsLimit {
  readonly jobId: string;
  readonly source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Rows that were stored before; parsing continues behind them. */
  readonly before?: UploadTotals;
}

/** Takes the rows of a file to Postgres as it is read, at the pace of Postgres. Throws what is wrong with it. */
export async function storeUpload(db: Database, upload: Upload) {
  const { jobId, source, before } = upload;
  const { text, file } = openFile(source, upload);
  let totals: UploadTotals = before ?? { bytes: 0, rows: 0, malformed: 0, addresses: 0 };
  let read = 0;
  let batch: UploadedRow[] = [];
  let chars = 0;

  async function flush(): Promise<void> {
    const fresh = await appendBulkRows(db, jobId, batch, totals);
    if (fresh === undefined) throw jobState('deleted');
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
    if (read >= upload.rowsMax) throw tooManyRows(upload);
    read++;
    if (read <= totals.rows) continue;
    batch.push(toUploadedRow(row));
    chars += row.cells.length;
    if (batch.length >= BATCH_ROWS || chars >= BATCH_CHARS) await flush();
  }
  if (batch.length > 0) await flush();
  if (totals.rows === 0) throw unreadableFile('it has no rows');
  return { layout: { ...file.layout(), bom: text.bom() }, totals: { ...totals, bytes: text.bytes() } };
}
