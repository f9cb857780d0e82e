import { type Audit, insertAudit } from '../accounts/audited.js';
import type { Database } from '../database/client.js';
import { columnsOf, int, list, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { isHeldBy, nextDue, take } from '../work/lease.js';
import { QUEUES } from '../work/queues.js';
import { eraseBulkSubjects, eraseSubjects } from './erase-subject.js';
import type { SubjectKeys } from './subject-lines.js';

const ErasureRow = columnsOf('subjectErasure');
export type ErasureRow = RowOf<typeof ErasureRow>;

const SHOWN = Prisma.sql`id, ${timestampText('requested_at')} AS requested_at, ${timestampText('done_at')} AS done_at,
  checks::int AS checks, file_rows::int AS file_rows`;

/** People whom one account erases. The worker does it, because their checks may still be queued. */
export function createSubjectErasures(db: Database, accountId: string) {
  return {
    async request(
      id: string,
      { hashes, fileHashes }: Pick<SubjectKeys, 'hashes' | 'fileHashes'>,
      audit: Audit,
    ): Promise<ErasureRow> {
      const [row] = await rowsOf(db, ErasureRow)`
        WITH changed AS (
          INSERT INTO subject_erasures (id, account_id, hashes, file_hashes)
          VALUES (${id}, ${accountId}, ${[...hashes]}::text[], ${[...fileHashes]}::uuid[]) RETURNING *
        ), noted AS (${insertAudit(accountId, audit)})
        SELECT ${SHOWN} FROM changed`;
      if (!row) throw new Error('an erasure was not written');
      return row;
    },

    async find(id: string): Promise<ErasureRow | undefined> {
      const [row] = await rowsOf(db, ErasureRow)`
        SELECT ${SHOWN} FROM subject_erasures WHERE account_id = ${accountId} AND id = ${id}`;
      return row;
    },
  };
}

const TakenErasure = {
  id: text,
  lease: int,
  account_id: text,
  hashes: list(text),
  file_hashes: list(text),
  requested_at: text,
};
export type TakenErasure = RowOf<typeof TakenErasure>;

const QUEUE = QUEUES.subjectErasures;
const TAKEN = Prisma.sql`account_id, hashes, file_hashes::text[] AS file_hashes, ${timestampText('requested_at')} AS requested_at`;

export const takeSubjectErasures = (db: Database, countMax: number): Promise<TakenErasure[]> =>
  rowsOf(db, TakenErasure)`${take(QUEUE, nextDue(QUEUE, countMax))} SELECT id, lease, ${TAKEN} FROM taken`;

/** Erases what the account had of the person when it asked. `isLast`: nothing from before can come any more. */
export async function eraseOwnSubject(db: Database, taken: TakenErasure, isLast: boolean): Promise<void> {
  const { checks, fileRows } = await erasePast(db, taken);
  await db.$executeRaw`
    UPDATE subject_erasures SET checks = checks + ${checks}, file_rows = file_rows + ${fileRows},
      done_at = CASE WHEN ${isLast} THEN now() END
    WHERE ${isHeldBy(QUEUE, taken)}`;
}

async function erasePast(
  db: Database,
  { account_id, hashes, file_hashes, requested_at }: Omit<TakenErasure, 'id' | 'lease'>,
) {
  const past = { accountId: account_id, before: requested_at };
  return {
    checks: await eraseSubjects(db, hashes, past),
    fileRows: file_hashes.length === 0 ? 0 : await eraseBulkSubjects(db, file_hashes, past),
  };
}

/** Erases checks from before an erasure that were stored after it, such as a dead letter that somebody retried. */
export async function repeatErasures(db: Database): Promise<number> {
  const { account_id, hashes, file_hashes, requested_at } = TakenErasure;
  const late = await rowsOf(db, { account_id, hashes, file_hashes, requested_at })`
    SELECT ${TAKEN} FROM subject_erasures e WHERE done_at IS NOT NULL AND EXISTS (
      SELECT FROM check_subjects s WHERE s.account_id = e.account_id AND s.created_at < e.requested_at
        AND (s.email_hash = ANY(e.hashes) OR s.mailbox_hash = ANY(e.hashes)))`;
  let erased = 0;
  for (const one of late) erased += (await erasePast(db, one)).checks;
  return erased;
}

/** An erasure that a restored database does not know: the worker does it again. */
export async function keepSubjectErasure(
  db: Database,
  { id, account_id, hashes, file_hashes, requested_at }: Omit<TakenErasure, 'lease'>,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO subject_erasures (id, account_id, hashes, file_hashes, requested_at)
    SELECT ${id}, a.id, ${hashes}::text[], ${file_hashes}::uuid[], ${requested_at}::timestamptz
    FROM accounts a WHERE a.id = ${account_id} ON CONFLICT (id) DO NOTHING`;
}
