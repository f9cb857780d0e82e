import { JOB_DAYS } from '@verdict/contracts/jobs-api.js';
import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { eraseBulkRows } from './erase-bulk-rows.js';

/** An upload moves every second; one that has not for so long is over. */
const SILENT_MINUTES = 15;

/** Jobs that wait for a new month or a larger plan. */
export const quotaPausedJobs = (db: Database): Promise<{ id: string; accountId: string; keyId: string }[]> =>
  db.bulkJob.findMany({
    where: { status: 'paused', pausedBecause: 'quota', erased: false },
    orderBy: { createdAt: 'asc' },
    select: { id: true, accountId: true, keyId: true },
  });

export async function resumeBulkJob(db: Database, id: string): Promise<boolean> {
  const changed = await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'running', paused_because = NULL, touched_at = now(), leased_until = now()
    WHERE id = ${id} AND status = 'paused' AND paused_because = 'quota'`;
  return changed > 0;
}

/** Ends uploads whose sender or receiver died. Returns how many there were. */
export async function failSilentUploads(db: Database): Promise<number> {
  const silent = await rowsOf(db, { id: text })`
    UPDATE bulk_jobs SET status = 'failed', failed_because = 'The upload was interrupted.', idempotency_key = NULL,
      finished_at = now()
    WHERE status = 'parsing' AND stored IS NULL AND touched_at < now() - make_interval(mins => ${SILENT_MINUTES}) RETURNING id`;
  for (const { id } of silent) await eraseBulkRows(db, id);
  return silent.length;
}

/** Jobs whose time is over lose their rows and keep their figures. Returns how many there were. */
export async function expireBulkJobs(db: Database, now: Date): Promise<number> {
  // A clock that was ahead when a job ended must not keep its rows for longer.
  const latest = Prisma.sql`${instant(now)} + make_interval(days => ${JOB_DAYS})`;
  await db.$executeRaw`UPDATE bulk_jobs SET expires_at = ${latest} WHERE expires_at > ${latest} AND status <> 'expired'`;
  const old = await rowsOf(db, { id: text })`
    UPDATE bulk_jobs SET status = 'expired', idempotency_key = NULL, layout = '{}', name = NULL
    WHERE expires_at < ${instant(now)} AND status NOT IN ('expired', 'running') RETURNING id`;
  // Also those of an earlier turn that ended before its work.
  const left = await rowsOf(db, { id: text })`
    SELECT id FROM bulk_jobs j WHERE status = 'expired' AND EXISTS (SELECT 1 FROM bulk_rows r WHERE r.job_id = j.id)`;
  for (const { id } of left) await eraseBulkRows(db, id);
  return old.length;
}

/** Deleted jobs whose rows remain because the deleting process died. */
export async function eraseDeletedJobs(db: Database): Promise<void> {
  const deleted = await rowsOf(db, { id: text })`
    SELECT id FROM bulk_jobs WHERE erased AND touched_at < now() - make_interval(mins => ${SILENT_MINUTES})`;
  for (const { id } of deleted) {
    await eraseBulkRows(db, id);
    await db.bulkJob.deleteMany({ where: { id } });
  }
}
