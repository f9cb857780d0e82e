import { toLines } from '../checks/text-lines.js';
import type { Database } from '../database/client.js';
import type { FileLayout } from './bulk-job-row.js';
import { eraseBulkRows } from './erase-bulk-rows.js';

/** One row of a file: with the address that it holds, or with what is wrong with it. */
export interface UploadedRow {
  /** As it was sent, as JSON on one line. */
  readonly cells: string;
  /** Hash of the canonical address, as a UUID; null where there is none. */
  readonly hash: string | null;
  readonly email: string | null;
  readonly error: string | null;
}

export interface UploadTotals {
  readonly bytes: number;
  readonly rows: number;
  readonly malformed: number;
  readonly addresses: number;
}

/**
 * Appends rows and numbers their new addresses; returns how many were new. An upload has one writer, so nothing can
 * come between the look and the insert.
 */
export async function appendBulkRows(
  db: Database,
  jobId: string,
  rows: readonly UploadedRow[],
  before: UploadTotals,
): Promise<number> {
  const column = (name: keyof UploadedRow) => toLines(rows, (row) => row[name]);
  const [found] = await db.$queryRaw<{ fresh: number }[]>`
    WITH input AS MATERIALIZED (
      SELECT ${before.rows}::int + ordinality::int AS row, cells, hash::uuid AS hash, email, error
      FROM unnest(
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
    ), touched AS (
      UPDATE bulk_jobs SET touched_at = now(), rows = ${before.rows + rows.length} WHERE id = ${jobId}
    )
    SELECT count(*)::int AS fresh FROM fresh`;
  return found?.fresh ?? 0;
}

/** The file is read to its end: the job may begin. False when it was erased meanwhile. */
export async function finishUpload(
  db: Database,
  jobId: string,
  layout: FileLayout,
  totals: UploadTotals,
  start: boolean,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE bulk_jobs SET layout = ${JSON.stringify(layout)}, bytes = ${totals.bytes}, rows = ${totals.rows},
      malformed = ${totals.malformed}, addresses = ${totals.addresses},
      touched_at = now(), leased_until = now(),
      status = CASE WHEN ${start} THEN 'running' ELSE 'ready' END,
      started_at = CASE WHEN ${start} THEN now() END
    WHERE id = ${jobId} AND status = 'parsing'`;
  return changed > 0;
}

/** Nothing came of the upload: as if it had never been sent. */
export async function abandonUpload(db: Database, jobId: string): Promise<void> {
  await eraseBulkRows(db, jobId);
  await db.$executeRaw`DELETE FROM bulk_jobs WHERE id = ${jobId} AND (status = 'parsing' OR erased)`;
}
