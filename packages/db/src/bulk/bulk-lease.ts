import type { PauseReason } from '@verdict/contracts/jobs-api.js';
import type { Database } from '../database/client.js';
import { bool, int, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { keptUntil } from './kept-until.js';

const BulkLease = { id: text, lease: int };
export type BulkLease = RowOf<typeof BulkLease>;

/** A job that runs, and exactly how far it is. */
const RunningBulkJob = {
  ...BulkLease,
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

/** How long a worker may work at a job without renewing its lease. */
const LEASE_SECONDS = 15;
/** How late a queued chunk may be before it counts as lost. */
const LATE_SECONDS = 5;
/** A chunk that is so late hangs in a queue that does not let go of it: the job gets a lease of its own. */
const STUCK_MINUTES = 10;

/** Jobs that run although nobody works at them: just started, or what was queued or in hand was lost. */
export const overdueBulkJobs = (db: Database): Promise<BulkLease[]> =>
  rowsOf(db, BulkLease)`
    WITH overdue AS (
      SELECT id, abs(extract(epoch FROM now() - leased_until)) > ${STUCK_MINUTES * 60} AS stuck FROM bulk_jobs
      WHERE status = 'running' AND NOT erased AND (leased_until <= now()
        OR leased_until > now() + make_interval(mins => ${STUCK_MINUTES}))
    ), renewed AS (
      UPDATE bulk_jobs j SET lease = j.lease + 1, leased_until = now() FROM overdue o
      WHERE j.id = o.id AND o.stuck RETURNING j.id, j.lease
    )
    SELECT o.id, coalesce(r.lease, j.lease) AS lease
    FROM overdue o JOIN bulk_jobs j ON j.id = o.id LEFT JOIN renewed r ON r.id = o.id`;

/** Takes up a job under the next lease; undefined when it does not run, or somebody else took up this one before. */
export async function takeBulkJob(
  db: Database,
  { id, lease }: BulkLease,
): Promise<RunningBulkJob | undefined> {
  const [job] = await rowsOf(db, RunningBulkJob)`
    UPDATE bulk_jobs j SET lease = j.lease + 1, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE j.id = ${id} AND j.lease = ${lease} AND j.status = 'running' AND NOT j.erased
    RETURNING j.id, j.lease, j.account_id, j.key_id, j.addresses, j.done, j.chunk_to, j.chunk_ms::float8 AS chunk_ms,
      j.chunk_attempt, j.again_round, j.again_after, j.unknown, j.dns_answered, j.policy_version,
      (SELECT count(*)::int FROM bulk_jobs s WHERE s.key_id = j.key_id AND s.status = 'running') AS sharing`;
  return job;
}

/** The worker is alive and still at it. */
export async function renewBulkLease(db: Database, { id, lease }: BulkLease): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE id = ${id} AND lease = ${lease}`;
}

/** The job is to be taken up again after a while. False when it does not run any more, or somebody else has it. */
export async function putOffBulkJob(
  db: Database,
  { id, lease }: BulkLease,
  afterMs: number,
): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE bulk_jobs SET leased_until = now() + make_interval(secs => ${afterMs / 1000 + LATE_SECONDS})
    WHERE id = ${id} AND lease = ${lease} AND status = 'running' AND NOT erased`;
  return changed > 0;
}

export async function pauseBulkJob(db: Database, id: string, because: PauseReason): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'paused', paused_because = ${because} WHERE id = ${id} AND status = 'running'`;
}

export async function completeBulkJob(db: Database, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'completed', finished_at = now(), expires_at = ${keptUntil()}
    WHERE id = ${id} AND status = 'running' AND done = addresses`;
}
