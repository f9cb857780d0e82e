import type { PauseReason } from '@verdict/contracts/jobs-api.js';
import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { nextDue, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';
import { keptUntil } from './kept-until.js';

/** A job that runs, and exactly how far it is. */
const RunningBulkJob = {
  id: text,
  lease: int,
  account_id: text,
  key_id: text,
  addresses: int,
  done: int,
  /** The chunk that was begun reaches from `done` up to here. */
  chunk_to: nullable(int),
  chunk_ms: int,
  chunk_attempt: int,
  again_round: int,
  again_after: int,
  unknown: int,
  dns_answered: bool,
  /** Of the policy that judges it; null for none. */
  policy_version: nullable(int),
  /** Jobs of the same key that run, this one included. */
  sharing: int,
};
export type RunningBulkJob = RowOf<typeof RunningBulkJob>;

/** Takes up jobs that run and have waited longest. */
export const takeBulkJobs = (db: Database, countMax: number): Promise<RunningBulkJob[]> =>
  rowsOf(db, RunningBulkJob)`
    ${take(QUEUES.bulk, nextDue(QUEUES.bulk, countMax))}
    SELECT j.id, j.lease, j.account_id, j.key_id, j.addresses, j.done, j.chunk_to, j.chunk_ms::float8 AS chunk_ms,
      j.chunk_attempt, j.again_round, j.again_after, j.unknown, j.dns_answered, j.policy_version,
      (SELECT count(*)::int FROM bulk_jobs s WHERE s.key_id = j.key_id AND s.status = 'running') AS sharing
    FROM taken j`;

export async function pauseBulkJob(db: Database, id: string, because: PauseReason): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'paused', paused_because = ${because} WHERE id = ${id} AND status = 'running'`;
}

export async function completeBulkJob(db: Database, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'completed', finished_at = now(), expires_at = ${keptUntil()}
    WHERE id = ${id} AND status = 'running' AND done = addresses`;
}
