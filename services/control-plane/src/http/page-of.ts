import { PAGE_SIZE } from '@verdict/contracts/dashboard/common.js';
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

/**
 * One page of a listing. Reads one row more than it shows: that is how it knows whether there is another page. Where pages are
 * cut by weight, `hasMoreAfter` knows.
 */
export async function pageOf<Row extends { id: string; created_at: string }>(
  { cursors, listing, accountId, query }: PageRequest,
  read: (before: Position | null, countMax: number) => Promise<Row[]>,
  hasMoreAfter: (last: Row) => Promise<boolean> = async () => false,
): Promise<Page<Row>> {
  const size = query.limit ?? PAGE_SIZE;
  const found = await read(cursors.open(listing, accountId, query.cursor), size + 1);
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  const has_more = found.length > size || (last !== undefined && (await hasMoreAfter(last)));
  return {
    rows,
    has_more,
    next_cursor:
      has_more && last ? cursors.seal(listing, accountId, { createdAt: last.created_at, id: last.id }) : null,
  };
}
