import type { BulkJobs } from '@verdict/db/bulk/bulk-jobs.js';
import type { BulkResultRow, ResultFilter } from '@verdict/db/bulk/bulk-results.js';

const PAGE = 1_000;

/** Reads the rows of a job to their end, a page in memory at a time. */
export async function* everyResult(
  jobs: Pick<BulkJobs, 'results'>,
  id: string,
  filter: ResultFilter,
): AsyncGenerator<BulkResultRow> {
  let after = 0;
  for (;;) {
    const rows = await jobs.results(id, filter, after, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.row;
  }
}
