import type { Database } from '../database/client.js';
import { int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import type { RunningBulkJob } from './bulk-lease.js';

const BulkAddress = {
  number: int,
  /** Null once the person was erased. */
  email: nullable(text),
};
export type BulkAddress = RowOf<typeof BulkAddress>;

/** An address that has a verdict. */
const CheckedAddress = {
  ...BulkAddress,
  /** created_at of its check; null in rows of the release before. */
  checked_at: nullable(text),
};
type CheckedAddress = RowOf<typeof CheckedAddress>;

export const readBulkAddresses = (
  db: Database,
  jobId: string,
  from: number,
  to: number,
): Promise<BulkAddress[]> =>
  rowsOf(db, BulkAddress)`
    SELECT number, email FROM bulk_addresses
    WHERE job_id = ${jobId} AND number >= ${from} AND number < ${to} ORDER BY number`;

/** Which addresses of a chunk were erased. Asked after the chunk was noted as begun, so that an erasure sees one or the other. */
export async function erasedOfChunk(
  db: Database,
  jobId: string,
  from: number,
  to: number,
): Promise<ReadonlySet<number>> {
  const rows = await rowsOf(db, { number: int })`
    SELECT number FROM bulk_addresses
    WHERE job_id = ${jobId} AND number >= ${from} AND number < ${to} AND email IS NULL`;
  return new Set(rows.map(({ number }) => number));
}

/** Addresses behind a number that DNS left unknown. */
export const readUnknownAddresses = (
  db: Database,
  jobId: string,
  after: number,
  countMax: number,
): Promise<CheckedAddress[]> =>
  rowsOf(db, CheckedAddress)`
    SELECT number, email, ${timestampText('checked_at')} AS checked_at FROM bulk_addresses
    WHERE job_id = ${jobId} AND unknown AND number > ${after} ORDER BY number LIMIT ${countMax}`;

/** Notes the chunk before anything is counted. False when the job is somewhere else by now. */
export async function beginChunk(
  db: Database,
  { id, done, chunk_attempt }: RunningBulkJob,
  to: number,
  nowMs: number,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE bulk_jobs SET chunk_to = ${to}, chunk_ms = ${nowMs}, chunk_attempt = chunk_attempt + 1
    WHERE id = ${id} AND status = 'running' AND done = ${done} AND chunk_to IS NULL AND chunk_attempt = ${chunk_attempt}`;
  return changed > 0;
}

/** Nothing of the chunk was counted, so it will be cut again under another name. */
export async function dropChunk(
  db: Database,
  { id, done }: Pick<RunningBulkJob, 'id' | 'done'>,
  attempt: number,
): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET chunk_to = NULL WHERE id = ${id} AND done = ${done} AND chunk_attempt = ${attempt}`;
}

/** One round of asking again is over. */
export async function endRound(db: Database, { id, again_round }: RunningBulkJob): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET again_round = again_round + 1, again_after = -1 WHERE id = ${id} AND again_round = ${again_round}`;
}
