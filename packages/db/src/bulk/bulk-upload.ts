import { toLines } from '../checks/text-lines.js';
import type { Database } from '../database/client.js';
import { int, type RowOf } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import type { FileLayout } from './bulk-job-row.js';
import { eraseBulkRows } from './erase-bulk-rows.js';
import { LIVE_POLICY } from './live-policy.js';

/** One row of a file: with the address that it holds, or with what is wrong with it. */
export interface UploadedRow {
  /** As it was sent, as JSON on one line. */
  readonly cells: string;
  /** Hash of the canonical address, as a UUID; null where there is none. */
  readonly hash: string | null;
  readonly email: string | null;
  readonly error: string | null;
}

export const UploadTotals = { bytes: int, rows: int, malformed: int, addresses: int };
export type UploadTotals = RowOf<typeof UploadTotals>;

/**
 * Appends rows and numbers their new addresses; returns how many were new, or undefined when the job is not at this row
 * any more. Holds the job's row, so of two processes that parse one file only one appends each row.
 */
export async function appendBulkRows(
  db: Database,
  jobId: string,
  rows: readonly UploadedRow[],
  before: UploadTotals,
): Promise<number | undefined> {
  const column = (name: keyof UploadedRow) => toLines(rows, (row) => row[name]);
  const [found] = await rowsOf(db, { held: int, fresh: int })`
    WITH held AS MATERIALIZED (
      UPDATE bulk_jobs SET touched_at = now(), rows = ${before.rows + rows.length}
      WHERE id = ${jobId} AND status = 'parsing' AND rows = ${before.rows} AND NOT erased RETURNING id
    ), input AS MATERIALIZED (
      SELECT ${before.rows}::int + ordinality::int AS row, cells, hash::uuid AS hash, email, error
      FROM held, unnest(
        string_to_array(${column('cells')}, E'\\n'),
        string_to_array(${column('hash')}, E'\\n', ''),
        string_to_array(${column('email')}, E'\\n', ''),
        string_to_array(${column('error')}, E'\\n', '')
      ) WITH ORDINALITY AS r(cells, hash, email, error, ordinality)
    ), firsts AS MATERIALIZED (
      SELECT DISTINCT ON (hash) hash, email, row FROM input WHERE hash IS NOT NULL ORDER BY hash, row
    ), standing AS MATERIALIZED (
      SELECT f.hash, f.email, f.row, a.number FROM firsts f
      LEFT JOIN bulk_addresses a ON a.hash = f.hash AND a.job_id = ${jobId}
    ), fresh AS MATERIALIZED (
      SELECT hash, email, ${before.addresses}::int + (row_number() OVER (ORDER BY row))::int - 1 AS number
      FROM standing WHERE number IS NULL
    ), added AS (
      INSERT INTO bulk_addresses (job_id, number, hash, email) SELECT ${jobId}, number, hash, email FROM fresh
    ), appended AS (
      INSERT INTO bulk_rows (job_id, row, cells, address, error)
      SELECT ${jobId}, i.row, i.cells, coalesce(f.number, s.number), i.error FROM input i
      LEFT JOIN fresh f ON f.hash = i.hash LEFT JOIN standing s ON s.hash = i.hash
    )
    SELECT (SELECT count(*)::int FROM held) AS held, (SELECT count(*)::int FROM fresh) AS fresh`;
  return found?.held === 1 ? found.fresh : undefined;
}

/** The file is parsed to its end: the job may begin. */
export async function finishUpload(
  db: Database,
  jobId: string,
  layout: FileLayout,
  totals: UploadTotals,
): Promise<void> {
  await db.$executeRaw`
    WITH parsed AS (DELETE FROM bulk_files WHERE job_id = ${jobId})
    UPDATE bulk_jobs SET layout = ${JSON.stringify(layout)}, bytes = ${totals.bytes}, rows = ${totals.rows},
      malformed = ${totals.malformed}, addresses = ${totals.addresses},
      touched_at = now(), leased_until = now(),
      status = CASE WHEN starts THEN 'running' ELSE 'ready' END,
      policy_version = CASE WHEN starts THEN ${LIVE_POLICY} END,
      started_at = CASE WHEN starts THEN now() END
    WHERE id = ${jobId} AND status = 'parsing'`;
}

/** Nothing came of the upload: as if it had never been sent. */
export async function abandonUpload(db: Database, jobId: string): Promise<void> {
  await eraseBulkRows(db, jobId);
  await db.bulkJob.deleteMany({ where: { id: jobId, OR: [{ status: 'parsing' }, { erased: true }] } });
}
