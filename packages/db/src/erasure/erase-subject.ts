import { MAIL_OPERATOR } from '../checks/of-mail-host.js';
import { GROUP_NETWORK } from '../checks/of-network.js';
import type { Database } from '../database/client.js';
import { bool, int } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

/** The checks of one account from before a moment, and all that belongs to them. */
export interface OwnPast {
  readonly accountId: string;
  readonly before: string;
}

/** The rows of an account from before a moment; all rows where no account is named. */
const within = (past: OwnPast | null, time: string): Prisma.Sql =>
  past
    ? Prisma.sql`account_id = ${past.accountId} AND ${Prisma.raw(time)} < ${past.before}::timestamptz`
    : Prisma.sql`true`;

/**
 * Forgets whom checks were about, other spellings of an erased mailbox included, what was said of these people and revised, and
 * the groups that they alone made up; their reviews end. The checks themselves and every count stay. Returns how
 * many checks it touched.
 */
export async function eraseSubjects(
  db: Database,
  emailHashes: readonly string[],
  past: OwnPast | null = null,
): Promise<number> {
  const hashes = [...emailHashes];
  const [erased] = await rowsOf(db, { checks: int })`
    WITH gone AS (
      DELETE FROM check_subjects
      WHERE (email_hash = ANY(${hashes}::text[]) OR mailbox_hash = ANY(${hashes}::text[])) AND ${within(past, 'created_at')}
      RETURNING *
    ), cells AS (
      SELECT s.account_id, date_trunc('hour', s.created_at, 'UTC') AS hour, v.kind, v.value, count(*) AS checks
      FROM gone s, LATERAL (VALUES ('domain', s.domain), ('network', ${GROUP_NETWORK}), ('mail_host', ${MAIL_OPERATOR}),
        ('mailbox', coalesce(s.mailbox_hash, s.email_hash))) v(kind, value)
      GROUP BY 1, 2, 3, 4
    ), ungrouped AS (
      DELETE FROM check_groups g USING cells c
      WHERE g.account_id = c.account_id AND g.hour = c.hour AND g.kind = c.kind AND g.value = c.value
        AND (c.kind = 'mailbox' OR g.allow + g.challenge + g.review + g.block <= c.checks)
    ), calmed AS (
      DELETE FROM bursts b USING (SELECT account_id, kind, value, sum(checks) AS checks FROM cells GROUP BY 1, 2, 3) c
      WHERE b.account_id = c.account_id AND b.kind = c.kind AND b.value = c.value
        AND (c.kind = 'mailbox' OR b.allow + b.challenge + b.review + b.block <= c.checks)
    ), said AS (
      DELETE FROM outcomes
      WHERE subject = ANY(ARRAY(SELECT id FROM gone UNION SELECT email_hash FROM gone) || ${hashes}::text[])
        AND ${within(past, 'said_at')}
    ), unrevised AS (
      DELETE FROM revisions WHERE id = ANY(ARRAY(SELECT id FROM gone))
    ), undismissed AS (
      DELETE FROM dismissed_proposals
      WHERE subject = ANY(ARRAY(SELECT coalesce(mailbox_hash, email_hash) FROM gone) || ${hashes}::text[])
        AND ${within(past, 'dismissed_at')}
    ), unreviewed AS (
      DELETE FROM reviews
      WHERE email_hash = ANY(ARRAY(SELECT email_hash FROM gone) || ${hashes}::text[]) AND ${within(past, 'created_at')}
    )
    SELECT count(*)::int AS checks FROM gone`;
  return erased?.checks ?? 0;
}

/**
 * Erases a person from bulk files: the whole row, while verdicts and counts stay. Returns how many rows it touched;
 * `hashes` are those of addressHash.
 */
export const eraseBulkSubjects = (
  db: Database,
  hashes: readonly string[],
  past: OwnPast | null = null,
): Promise<number> =>
  db.$executeRaw`
    WITH found AS (
      UPDATE bulk_addresses SET hash = NULL, email = NULL, reasons = '[]', unknown = false
      WHERE hash = ANY(${[...hashes]}::uuid[])
        AND ${past ? Prisma.sql`job_id IN (SELECT id FROM bulk_jobs WHERE ${within(past, 'created_at')})` : Prisma.sql`true`}
      RETURNING job_id, number
    )
    UPDATE bulk_rows r SET cells = NULL FROM found f WHERE r.job_id = f.job_id AND r.address = f.number`;

/** As long as a step that somebody slept over may still be taken (step/begin.lua), and some more. */
const STEP_LIFE_SECONDS = 60;

/** Whether a worker has begun a chunk that may carry an erased address from before its erasure. */
export async function holdsErasedChunks(db: Database): Promise<boolean> {
  const [found] = await rowsOf(db, { held: bool })`
    SELECT EXISTS (
      SELECT FROM bulk_jobs j WHERE chunk_to IS NOT NULL
        AND leased_until > now() - make_interval(secs => ${STEP_LIFE_SECONDS}) AND EXISTS (
          SELECT FROM bulk_addresses a
          WHERE a.job_id = j.id AND a.number < j.chunk_to AND a.email IS NULL
            AND a.number >= CASE WHEN j.done < j.addresses THEN j.done ELSE j.again_after + 1 END)) AS held`;
  return found?.held ?? false;
}

/** Files that were received and are not parsed yet, so their addresses are unknown. */
export async function unparsedFiles(db: Database): Promise<string[]> {
  const jobs = await db.bulkJob.findMany({
    where: { status: 'parsing', stored: { not: null } },
    select: { id: true },
  });
  return jobs.map(({ id }) => id);
}

export interface Erasure {
  readonly id: string;
  readonly emailHash: string;
  readonly spellingHashes: readonly string[];
  readonly checks: number;
  readonly deadLetters: number;
}

/** The receipt: it proves that an address was erased without naming it. */
export async function recordErasure(db: Database, erasure: Erasure): Promise<void> {
  await db.erasure.create({
    data: { ...erasure, spellingHashes: [...erasure.spellingHashes], checks: BigInt(erasure.checks) },
  });
}
