import type { Database } from '../database/client.js';
import { int } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

const ROWS_PER_STATEMENT = 20_000;

/** Deletes the file, rows and addresses of a job, a bounded number per statement so that none runs into its timeout. */
export async function eraseBulkRows(db: Database, jobId: string): Promise<void> {
  await db.bulkFile.deleteMany({ where: { jobId } });
  const [bounds] = await rowsOf(db, { rows: int, addresses: int })`
    SELECT coalesce((SELECT max(row) FROM bulk_rows WHERE job_id = ${jobId}), 0)::int AS rows,
      coalesce((SELECT max(number) FROM bulk_addresses WHERE job_id = ${jobId}), 0)::int AS addresses`;
  const { rows = 0, addresses = 0 } = bounds ?? {};
  for (let to = ROWS_PER_STATEMENT; to - ROWS_PER_STATEMENT <= rows; to += ROWS_PER_STATEMENT) {
    await db.bulkRow.deleteMany({ where: { jobId, row: { lte: to } } });
  }
  for (let to = ROWS_PER_STATEMENT; to - ROWS_PER_STATEMENT <= addresses; to += ROWS_PER_STATEMENT) {
    await db.bulkAddress.deleteMany({ where: { jobId, number: { lte: to } } });
  }
}
