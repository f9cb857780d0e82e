import type { BulkResultRow, ResultPage } from '@verdict/db/bulk/bulk-results.js';

/** Small: each download holds one page for as long as its reader takes. */
const PAGE = { countMax: 1_000, bytesMax: 256 * 1024 };

/** Reads the rows of a job to their end, a page in memory at a time. */
export async function* everyResult(
  read: (page: ResultPage, isUnderWay: boolean) => Promise<BulkResultRow[]>,
): AsyncGenerator<BulkResultRow> {
  let after = 0;
  for (;;) {
    const rows = await read({ ...PAGE, after }, after > 0);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.row;
  }
}
