import { PAGE_ROWS_MAX, PAGE_SIZE } from '@verdict/contracts/dashboard/common.js';
import type { Position } from '@verdict/db/database/is-before.js';
import type { Cursors } from './cursors.js';

interface PageRequest {
  readonly cursors: Cursors;
  readonly listing: string;
  readonly accountId: string;
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

interface Page<Row> {
  readonly rows: Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A page is in memory several times while it is written, beside those of others. */
const PAGE_BYTES_MAX = 256 * 1024;
/** Rows that are read before their width is known: even the widest of them fit into memory many times. */
const FIRST_ROWS = 8;

/**
 * One page of a listing: at most a hundred rows and 256 KB, but always a row. It reads a few rows first and then as many as
 * fit by their width as `read` shows them, because rows of one listing may be a hundred bytes or 32 KB. Where `read` cuts by weight itself,
 * `hasMoreAfter` knows whether there is another page.
 */
export async function pageOf<Row extends { id: string; created_at: string }>(
  { cursors, listing, accountId, query }: PageRequest,
  read: (before: Position | null, countMax: number) => Promise<Row[]>,
  hasMoreAfter: (last: Row) => Promise<boolean> = async () => false,
): Promise<Page<Row>> {
  const size = Math.min(query.limit ?? PAGE_SIZE, PAGE_ROWS_MAX);
  const rows: Row[] = [];
  let before = cursors.open(listing, accountId, query.cursor);
  let bytes = 0;
  let has_more: boolean | undefined;
  while (has_more === undefined) {
    const fitting = bytes === 0 ? FIRST_ROWS : ((PAGE_BYTES_MAX - bytes) * rows.length) / bytes;
    const countMax = Math.min(size - rows.length, Math.max(1, Math.floor(fitting)));
    // One row more than is shown says whether there is another page.
    const found = await read(before, countMax + 1);
    for (const row of found.slice(0, countMax)) {
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (rows.length > 0 && bytes > PAGE_BYTES_MAX) has_more = true;
      else rows.push(row);
      if (has_more) break;
    }
    const last = rows.at(-1);
    if (last) before = positionOf(last);
    if (found.length <= countMax) has_more ??= last !== undefined && (await hasMoreAfter(last));
    else if (rows.length >= size) has_more ??= true;
  }
  const last = rows.at(-1);
  return {
    rows,
    has_more,
    next_cursor: has_more && last ? cursors.seal(listing, accountId, positionOf(last)) : null,
  };
}

const positionOf = ({ id, created_at }: { id: string; created_at: string }): Position => ({
  createdAt: created_at,
  id,
});
