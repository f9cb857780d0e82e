import { JOB_FORMATS, type JobFormat } from '@verdict/contracts/jobs-api.js';
import type { Database } from '../database/client.js';
import { bytes, int, oneOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { UploadTotals } from './bulk-upload.js';
import { eraseBulkRows } from './erase-bulk-rows.js';

/** How to parse a stored file. */
interface StoredFile {
  readonly parts: number;
  readonly rowsMax: number;
  /** The encoding that the sender declared. */
  readonly charset?: string | undefined;
  readonly column?: string | undefined;
}

/** A stored file in the hands of one process, and how far it was parsed before. */
export interface TakenFile extends StoredFile {
  readonly jobId: string;
  readonly lease: number;
  readonly format: JobFormat;
  readonly totals: UploadTotals;
}

/** Each part renews the lease; one takes seconds on a busy machine. */
const LEASE_SECONDS = 60;
/** A file that ended so many processes before its last row is not tried again. */
const TRIES_MAX = 20;

/** Stores the next part of a file. False when the job was deleted meanwhile. */
export async function storeFilePart(
  db: Database,
  jobId: string,
  part: number,
  bytes: Uint8Array,
): Promise<boolean> {
  const stored = await db.$executeRaw`
    WITH held AS (
      UPDATE bulk_jobs SET touched_at = now() WHERE id = ${jobId} AND status = 'parsing' AND NOT erased RETURNING id
    )
    INSERT INTO bulk_files (job_id, part, bytes) SELECT id, ${part}::int, ${bytes}::bytea FROM held`;
  return stored > 0;
}

/** The file is complete: any process may parse it. */
export async function offerFile(db: Database, jobId: string, file: StoredFile, bytes: number): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET stored = ${JSON.stringify(file)}, bytes = ${bytes}, leased_until = now()
    WHERE id = ${jobId} AND status = 'parsing'`;
}

/** Whether a process has the job. A lease that ends later than any can was written before the clock was set back. */
const leased = (job: string): Prisma.Sql => {
  const until = Prisma.raw(`${job}.leased_until`);
  return Prisma.sql`(${until} > now() AND ${until} <= now() + make_interval(secs => ${LEASE_SECONDS}))`;
};

/** Takes the oldest stored file that no process parses. Accounts parse one file at a time, so that none delays the others. */
export async function takeStoredFile(db: Database): Promise<TakenFile | undefined> {
  const [row] = await rowsOf(db, {
    ...UploadTotals,
    jobId: text,
    lease: int,
    format: oneOf(...JOB_FORMATS),
    stored: text,
  })`
    WITH next AS (
      SELECT id FROM bulk_jobs j
      WHERE status = 'parsing' AND stored IS NOT NULL AND NOT erased AND NOT ${leased('j')} AND NOT EXISTS (
        SELECT FROM bulk_jobs b
        WHERE b.account_id = j.account_id AND b.status = 'parsing' AND b.stored IS NOT NULL AND ${leased('b')})
      ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE bulk_jobs j SET lease = j.lease + 1, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    FROM next WHERE j.id = next.id
    RETURNING j.id AS "jobId", j.lease, j.format, j.stored, 0 AS bytes, j.rows,
      (SELECT count(*)::int FROM bulk_rows r WHERE r.job_id = j.id AND r.error IS NOT NULL) AS malformed,
      (SELECT count(*)::int FROM bulk_addresses a WHERE a.job_id = j.id) AS addresses`;
  if (!row) return undefined;
  const { jobId, lease, format, stored, ...totals } = row;
  if (lease > TRIES_MAX) {
    await failFile(db, jobId, { code: null, because: 'The file could not be read.' });
    return takeStoredFile(db);
  }
  return { jobId, lease, format, totals, ...(JSON.parse(stored) as StoredFile) };
}

/** The parts of a file in their order. Throws when the job was deleted, or another process has taken the file. */
export async function* readFileParts(db: Database, file: TakenFile): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < file.parts; part++) {
    const [found] = await rowsOf(db, { bytes: bytes })`
      WITH held AS (
        UPDATE bulk_jobs SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
        WHERE id = ${file.jobId} AND lease = ${file.lease} AND status = 'parsing' AND NOT erased RETURNING id
      )
      SELECT f.bytes FROM held JOIN bulk_files f ON f.job_id = held.id AND f.part = ${part}::int`;
    if (!found) throw new Error('the file is gone, or another process parses it');
    yield found.bytes;
  }
}

/** Gives a file back before its end: the next process continues behind the last stored row. */
export async function putBackFile(db: Database, file: TakenFile, afterSeconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE bulk_jobs SET leased_until = now() + make_interval(secs => ${afterSeconds})
    WHERE id = ${file.jobId} AND lease = ${file.lease} AND status = 'parsing'`;
}

/** The file cannot be read: the job fails and gives back its storage and its Idempotency-Key. */
export async function failFile(
  db: Database,
  jobId: string,
  { code, because }: { readonly code: string | null; readonly because: string },
): Promise<void> {
  const failed = await db.$executeRaw`
    UPDATE bulk_jobs SET status = 'failed', failed_because = ${because}, failed_code = ${code}, bytes = 0,
      idempotency_key = NULL, finished_at = now()
    WHERE id = ${jobId} AND status = 'parsing'`;
  if (failed > 0) await eraseBulkRows(db, jobId);
}
