import { JOB_FORMATS, type JobFormat } from '@verdict/contracts/jobs-api.js';
import type { Database } from '../database/client.js';
import { bytes, int, oneOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { extended, isHeldBy, nextDue, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';
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
  readonly id: string;
  readonly lease: number;
  readonly tries: number;
  readonly format: JobFormat;
  readonly totals: UploadTotals;
}

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

/** Takes the oldest stored file that no process parses; one, because accounts parse one file at a time. */
export async function takeStoredFile(db: Database): Promise<TakenFile[]> {
  const rows = await rowsOf(db, {
    ...UploadTotals,
    id: text,
    lease: int,
    format: oneOf(...JOB_FORMATS),
    stored: text,
  })`
    ${take(QUEUES.files, nextDue(QUEUES.files, 1))}
    SELECT j.id, j.lease, j.format, j.stored, 0 AS bytes, j.rows,
      (SELECT count(*)::int FROM bulk_rows r WHERE r.job_id = j.id AND r.error IS NOT NULL) AS malformed,
      (SELECT count(*)::int FROM bulk_addresses a WHERE a.job_id = j.id) AS addresses
    FROM taken j`;
  return rows.map(({ id, lease, format, stored, ...totals }) => {
    const file = JSON.parse(stored) as StoredFile;
    return { id, lease, tries: lease, format, totals, ...file };
  });
}

/** The parts of a file in their order. Throws when the job was deleted, or another process has taken the file. */
export async function* readFileParts(db: Database, file: TakenFile): AsyncGenerator<Uint8Array> {
  for (let part = 0; part < file.parts; part++) {
    const [found] = await rowsOf(db, { bytes: bytes })`
      WITH held AS (
        UPDATE bulk_jobs SET ${extended(QUEUES.files)}
        WHERE ${isHeldBy(QUEUES.files, file)} AND status = 'parsing' AND NOT erased RETURNING id
      )
      SELECT f.bytes FROM held JOIN bulk_files f ON f.job_id = held.id AND f.part = ${part}::int`;
    if (!found) throw new Error('the file is gone, or another process parses it');
    yield found.bytes;
  }
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
