import { setImmediate } from 'node:timers/promises';
import type { BulkResultRow, ResultPage } from '@verdict/db/bulk/bulk-results.js';

/** Rows that are written before other requests run. */
const PIECE_ROWS = 20;
/** Small: each download holds one page for as long as its reader takes. */
const PAGE = { countMax: 1_000, bytesMax: 256 * 1024 };

/** Reads the rows of a job to their end, a page in memory at a time. */
export async function* everyResult(
  read: (page: ResultPage, isUnderWay: boolean) => Promise<BulkResultRow[]>,
): AsyncGenerator<BulkResultRow> {
  let after = 0;
  for (;;) {
    const rows = await read({ ...PAGE, after }, after > 0);
    for (const [i, row] of rows.entries()) {
      if (i % PIECE_ROWS === PIECE_ROWS - 1) await setImmediate();
      yield row;
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.row;
  }
}
