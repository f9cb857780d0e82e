import type { JobFormat, JobStatus } from '@verdict/contracts/jobs-api.js';
import { ACTIVE_JOBS_MAX } from '@verdict/contracts/jobs-api.js';
import { type Audit, audited } from '../accounts/audited.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { int, text } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { BULK_JOB_LISTED, BULK_JOB_SHOWN, BulkJobRow } from './bulk-job-row.js';
import { type BulkResultRow, type ResultFilter, type ResultPage, readBulkResults } from './bulk-results.js';
import { eraseBulkRows } from './erase-bulk-rows.js';
import { keptUntil } from './kept-until.js';
import { LIVE_POLICY } from './live-policy.js';

const KEPT_JOBS_MAX = 1_000;

export interface NewBulkJob {
  readonly id: string;
  readonly keyId: string;
  readonly userId: string | null;
  readonly name: string | null;
  readonly format: JobFormat;
  /** Starts as soon as the file is parsed. */
  readonly starts: boolean;
  readonly idempotencyKey: string | null;
  /** Storage of an account's jobs: results that are never fetched must not fill the disk. */
  readonly keptBytesMax: number;
}

/** From which states each act leads where. A job whose file is being parsed starts afterwards. */
const ACTS = {
  start: { from: ['parsing', 'ready', 'paused'], to: 'running' },
  pause: { from: ['running'], to: 'paused' },
  cancel: { from: ['ready', 'running', 'paused'], to: 'canceled' },
} as const satisfies Record<string, { from: readonly JobStatus[]; to: JobStatus }>;
export type JobAct = keyof typeof ACTS;

export type BulkJobs = ReturnType<typeof createBulkJobs>;

/** One account's bulk jobs, or those of them that are charged to one key. */
export function createBulkJobs(db: Database, accountId: string, keyId: string | null = null) {
  const owned = allOf(
    Prisma.sql`bulk_jobs.account_id = ${accountId} AND NOT erased`,
    keyId !== null && Prisma.sql`bulk_jobs.key_id = ${keyId}`,
  );
  const own = (id: string) => Prisma.sql`bulk_jobs.id = ${id} AND ${owned}`;

  async function find(id: string): Promise<BulkJobRow | undefined> {
    const rows = await rowsOf(db, BulkJobRow)`SELECT ${BULK_JOB_SHOWN} FROM bulk_jobs WHERE ${own(id)}`;
    return rows[0];
  }

  return {
    find,

    /** Newest first, those before a position. */
    page: (before: Position | null, countMax: number): Promise<BulkJobRow[]> =>
      rowsOf(db, BulkJobRow)`
        SELECT ${BULK_JOB_LISTED} FROM bulk_jobs WHERE ${allOf(owned, before && isBefore(before, 'bulk_jobs'))}
        ORDER BY bulk_jobs.created_at DESC, bulk_jobs.id DESC LIMIT ${countMax}`,

    /** The job of the account that an Idempotency-Key stands for already, whichever key it is charged to. */
    async findByIdempotencyKey(key: string): Promise<BulkJobRow | undefined> {
      const rows = await rowsOf(db, BulkJobRow)`
        SELECT ${BULK_JOB_SHOWN} FROM bulk_jobs
        WHERE bulk_jobs.account_id = ${accountId} AND idempotency_key = ${key} AND NOT erased`;
      return rows[0];
    },

    /**
     * False when the account has as many jobs as it may, or another request came first with the same Idempotency-Key. The
     * account's row is locked meanwhile: of requests that arrive together no more pass than there is room for.
     */
    async create(job: NewBulkJob, audit: Audit): Promise<boolean> {
      const { id, keyId: charged, userId, name, format, starts, idempotencyKey, keptBytesMax } = job;
      const insert = Prisma.sql`
        INSERT INTO bulk_jobs (id, account_id, key_id, user_id, name, format, starts, idempotency_key, expires_at)
        SELECT ${id}, ${accountId}, ${charged}, ${userId}, ${name}, ${format}, ${starts}, ${idempotencyKey},
          ${keptUntil()}
        FROM (
          SELECT count(*) FILTER (WHERE status IN ('parsing', 'ready', 'running', 'paused')) AS active,
            count(*) AS kept, coalesce(sum(bytes) FILTER (WHERE status <> 'expired'), 0) AS bytes
          FROM bulk_jobs WHERE account_id = ${accountId}
        ) held
        WHERE active < ${ACTIVE_JOBS_MAX} AND kept < ${KEPT_JOBS_MAX} AND bytes < ${keptBytesMax}
        ON CONFLICT (account_id, idempotency_key) DO NOTHING
        RETURNING id`;
      const [, created] = await db.$transaction([
        db.$executeRaw`SELECT FROM accounts WHERE id = ${accountId} FOR UPDATE`,
        rowsOf(db, { id: text })(audited(accountId, insert, audit)),
      ]);
      return created.length > 0;
    },

    /** Undefined where there is no such job, or it is in a state from which this does not lead. */
    async act(id: string, act: JobAct, audit: Audit): Promise<BulkJobRow | undefined> {
      const { from, to } = ACTS[act];
      const change = Prisma.sql`
        UPDATE bulk_jobs SET touched_at = now(), starts = starts OR ${act} = 'start',
          status = CASE WHEN status = 'parsing' THEN status ELSE ${to} END,
          leased_until = CASE WHEN ${act} = 'start' AND status <> 'parsing' THEN now() ELSE leased_until END,
          paused_because = CASE WHEN ${act} = 'pause' THEN 'request' END,
          policy_version = CASE WHEN ${act} = 'start' AND status <> 'parsing' AND started_at IS NULL THEN ${LIVE_POLICY} ELSE policy_version END,
          started_at = CASE WHEN ${act} = 'start' AND status <> 'parsing' THEN coalesce(started_at, now()) ELSE started_at END,
          finished_at = CASE WHEN ${act} = 'cancel' THEN now() ELSE finished_at END,
          expires_at = ${keptUntil()}
        WHERE ${own(id)} AND status = ANY(${[...from]}::text[])
        RETURNING id`;
      const changed = await rowsOf(db, { id: text })(audited(accountId, change, audit));
      return changed.length > 0 ? find(id) : undefined;
    },

    results: (id: string, filter: ResultFilter, page: ResultPage): Promise<BulkResultRow[]> =>
      readBulkResults(db, id, filter, page),

    /** Addresses of a job whose person was erased. Of a job that the caller was seen to own. */
    async erasedCount(id: string): Promise<number> {
      const [found] = await rowsOf(db, { count: int })`
        SELECT count(*)::int AS count FROM bulk_addresses WHERE job_id = ${id} AND email IS NULL`;
      return found?.count ?? 0;
    },

    /** Hides the job and deletes its rows before it returns. False if there is no such job. */
    async erase(id: string, audit: Audit): Promise<boolean> {
      const change = Prisma.sql`
        UPDATE bulk_jobs SET erased = true, status = 'canceled', idempotency_key = NULL WHERE ${own(id)} RETURNING id`;
      const changed = await rowsOf(db, { id: text })(audited(accountId, change, audit));
      if (changed.length === 0) return false;
      await eraseBulkRows(db, id);
      await db.$executeRaw`DELETE FROM bulk_jobs WHERE id = ${id}`;
      return true;
    },
  };
}
