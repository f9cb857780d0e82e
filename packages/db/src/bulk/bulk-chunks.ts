import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import type { RunningBulkJob } from './bulk-lease.js';

const BulkAddress = {
  number: int,
  /** Null once the person was erased. */
  email: nullable(text),
  /** DNS could not answer: it waits for the end of the job. */
  unknown: bool,
};
export type BulkAddress = RowOf<typeof BulkAddress>;

/** Addresses of a stretch of the job that have no verdict yet. */
export const readBulkAddresses = (
  db: Database,
  jobId: string,
  from: number,
  to: number,
): Promise<BulkAddress[]> =>
  rowsOf(db, BulkAddress)`
    SELECT number, email, unknown FROM bulk_addresses
    WHERE job_id = ${jobId} AND number >= ${from} AND number < ${to} AND log_id IS NULL ORDER BY number`;

/** The next addresses that wait because DNS could not answer. */
export const readWaitingAddresses = (
  db: Database,
  jobId: string,
  from: number,
  countMax: number,
): Promise<BulkAddress[]> =>
  rowsOf(db, BulkAddress)`
    SELECT number, email, unknown FROM bulk_addresses
    WHERE job_id = ${jobId} AND number >= ${from} AND unknown AND log_id IS NULL ORDER BY number LIMIT ${countMax}`;

/** Which addresses of a chunk were erased. Asked after the chunk was noted as begun, so that an erasure sees one or the other. */
export async function erasedOfChunk(
  db: Database,
  jobId: string,
  { from, to }: Pick<Chunk, 'from' | 'to'>,
): Promise<ReadonlySet<number>> {
  const rows = await rowsOf(db, { number: int })`
    SELECT number FROM bulk_addresses
    WHERE job_id = ${jobId} AND number >= ${from} AND number < ${to} AND email IS NULL`;
  return new Set(rows.map(({ number }) => number));
}

/** A stretch of a job's addresses, and those of them that wait. */
interface Chunk {
  readonly from: number;
  readonly to: number;
  readonly begunMs: number;
  /** Numbers of the addresses that DNS could not answer for: they leave the chunk and come back at the end of the job. */
  readonly waiting: readonly number[];
  /** How many of the stretch waited before. */
  readonly waited: number;
}

const isThere = ({ id, done, again_round, again_after }: RunningBulkJob): Prisma.Sql =>
  Prisma.sql`id = ${id} AND done = ${done} AND again_round = ${again_round} AND again_after = ${again_after}`;

/**
 * Notes the chunk and who belongs to it before anything is counted, so that a worker that continues it grants the same
 * addresses. False when the job is somewhere else by now.
 */
export async function beginChunk(
  db: Database,
  job: RunningBulkJob,
  { from, to, begunMs, waiting, waited }: Chunk,
): Promise<boolean> {
  const isWaiting = Prisma.sql`a.number = ANY(${[...waiting]}::int[])`;
  const [found] = await rowsOf(db, { begun: int })`
    WITH begun AS (
      UPDATE bulk_jobs SET chunk_to = ${to}, chunk_ms = ${begunMs}, chunk_attempt = chunk_attempt + 1,
        unknown = unknown + ${waiting.length - waited}
      WHERE ${isThere(job)} AND status = 'running' AND chunk_to IS NULL AND chunk_attempt = ${job.chunk_attempt}
      RETURNING id
    ), marked AS (
      UPDATE bulk_addresses a SET unknown = ${isWaiting} FROM begun
      WHERE a.job_id = begun.id AND a.number >= ${from} AND a.number < ${to} AND a.log_id IS NULL
        AND a.email IS NOT NULL AND a.unknown <> (${isWaiting})
    )
    SELECT count(*)::int AS begun FROM begun`;
  return found?.begun === 1;
}

/** Nothing of the chunk was counted, so it will be cut again under another name. Addresses that had waited wait again. */
export async function dropChunk(
  db: Database,
  job: RunningBulkJob,
  attempt: number,
  { from, to, waited }: { readonly from: number; readonly to: number; readonly waited: number },
): Promise<void> {
  await db.$executeRaw`
    WITH dropped AS (
      UPDATE bulk_jobs SET chunk_to = NULL, unknown = unknown + ${waited}
      WHERE ${isThere(job)} AND chunk_attempt = ${attempt} AND chunk_to IS NOT NULL RETURNING id
    )
    UPDATE bulk_addresses a SET unknown = true FROM dropped
    WHERE ${waited} > 0 AND a.job_id = dropped.id AND a.number >= ${from} AND a.number < ${to} AND a.log_id IS NULL
      AND a.email IS NOT NULL AND NOT a.unknown`;
}

/** Begins another round over the addresses that still wait. */
export async function endRound(db: Database, job: RunningBulkJob, nextRound: number): Promise<void> {
  await db.$executeRaw`UPDATE bulk_jobs SET again_round = ${nextRound}, again_after = -1 WHERE ${isThere(job)}`;
}
