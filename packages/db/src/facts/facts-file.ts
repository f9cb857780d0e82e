import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import { columnOf, type FactsColumn } from './facts-columns.js';
import { csvLine, type FactsRow } from './facts-row.js';

/** The rows written or read, to compare the two. */
export interface FactsContent {
  readonly rows: number;
  /** SHA-256 of all rows in the order of the file, whatever the file looks like. */
  readonly rows_sha256: string;
}

/** Writes rows as Parquet, a row group for each page, over what is there; the file is on the disk when this returns. */
export async function writeFactsFile(
  path: string,
  columns: readonly FactsColumn[],
  pages: AsyncIterable<readonly FactsRow[]>,
): Promise<FactsContent> {
  const file = await open(path, 'w', 0o600);
  try {
    const writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: [
        { name: 'check_logs', num_children: columns.length },
        ...columns.flatMap(({ schema }) => schema),
      ],
      codec: 'GZIP',
      compressors: { GZIP: (bytes) => gzipSync(bytes) },
      createdBy: 'verdict',
    });
    const content = createContent(columns.map(({ name }) => name));
    for await (const rows of pages) {
      content.add(rows);
      await writer.write({
        columnData: columns.map((column) => columnOf(rows, column)),
        rowGroupSize: rows.length,
      });
    }
    await writer.finish();
    await file.sync();
    return content.end();
  } finally {
    await file.close();
  }
}

const PARSERS = { timestampFromMicroseconds: (micros: bigint) => formatCreatedAt(Number(micros)) };
const COMPRESSORS = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) };

async function openFactsFile(path: string) {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file, { parsers: PARSERS });
  let end = 0;
  return {
    groups: metadata.row_groups.map(({ num_rows, columns }) => {
      const start = end;
      end += Number(num_rows);
      const { min_value = '', max_value = '\uffff' } =
        columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === 'id')?.meta_data?.statistics ?? {};
      return { start, end, firstId: String(min_value), lastId: String(max_value) };
    }),
    /** The rows from one place to another, or some of their columns. */
    read: (rowStart: number, rowEnd: number, columns?: string[]): Promise<FactsRow[]> =>
      parquetReadObjects({
        file,
        metadata,
        rowStart,
        rowEnd,
        parsers: PARSERS,
        compressors: COMPRESSORS,
        ...(columns && { columns }),
      }),
  };
}

/** The rows of a file, page by page as they were written. A file that is cut off or damaged fails. */
export async function* readFactsFile(path: string): AsyncGenerator<FactsRow[]> {
  const { groups, read } = await openFactsFile(path);
  for (const { start, end } of groups) yield await read(start, end);
}

/** The check with this id, or null. Rows are in the order of their ids, so it reads one row group. */
export async function findInFactsFile(path: string, id: string): Promise<FactsRow | null> {
  const { groups, read } = await openFactsFile(path);
  for (const group of groups) {
    if (id < group.firstId || group.lastId < id) continue;
    const ids = await read(group.start, group.end, ['id']);
    const place = group.start + ids.findIndex((row) => row.id === id);
    const [row] = place < group.start ? [] : await read(place, place + 1);
    // A list that is null is left undefined by the reader.
    if (row) return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]));
  }
  return null;
}

/** The checks of one account, newest first, a row group at a time. */
export async function* readFactsOfAccount(path: string, accountId: string): AsyncGenerator<FactsRow[]> {
  const { groups, read } = await openFactsFile(path);
  const isOwn = (row: FactsRow) => row.account_id === accountId;
  for (const { start, end } of groups.toReversed()) {
    const owners = await read(start, end, ['account_id']);
    const first = owners.findIndex(isOwn);
    if (first < 0) continue;
    const rows = await read(start + first, start + owners.findLastIndex(isOwn) + 1);
    yield rows.filter(isOwn).toReversed();
  }
}

/** Reads a whole file and tells what it holds. */
export async function contentOfFile(path: string, names: readonly string[]): Promise<FactsContent> {
  const content = createContent(names);
  for await (const rows of readFactsFile(path)) content.add(rows);
  return content.end();
}

function createContent(names: readonly string[]) {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows: readonly FactsRow[]): void {
      count += rows.length;
      for (const row of rows) hash.update(csvLine(row, names));
    },
    end: (): FactsContent => ({ rows: count, rows_sha256: hash.digest('hex') }),
  };
}
