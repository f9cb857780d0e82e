import { SAME_CHECK } from '../checks/same-check.js';
import type { Database } from '../database/client.js';
import { bool } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';
import { insertMail, type OutgoingMail } from '../people/outgoing-mails.js';
import { ofBurst } from './of-burst.js';
import type { Repeated } from './repetitions.js';

/** Log ids that a burst shows. */
const EXAMPLES = 5;

/** The data of a webhook about a burst `b`. It never holds the hash of a mailbox. */
const TOLD = Prisma.sql`jsonb_build_object('burst_id', b.id, 'kind', b.kind,
  'value', CASE WHEN b.kind <> 'mailbox' THEN b.value END, 'checks', b.allow + b.challenge + b.review + b.block)`;

/** Writes the mails where `b` has a row and no other burst of the account is under way: one attack repeats several things. */
const tellAlone = (accountId: string, id: string, mails: readonly OutgoingMail[]): Prisma.Sql =>
  mails.length === 0
    ? Prisma.empty
    : Prisma.join(
        mails.map(
          (mail, n) => Prisma.sql`, ${Prisma.raw(`mail_${n}`)} AS (${insertMail(mail)}
            WHERE EXISTS (SELECT FROM b) AND NOT EXISTS (
              SELECT FROM bursts o WHERE o.account_id = ${accountId} AND o.ended_at IS NULL AND o.id <> ${id}))`,
        ),
        '',
      );

/**
 * Notes a burst that began with its first check of these hours, and tells of it in one statement. False when another worker did, and
 * when most of the checks are rows of files: an old list of a customer is not an attack.
 */
export async function startBurst(
  db: Database,
  accountId: string,
  id: string,
  burst: Repeated,
  mails: readonly OutgoingMail[] = [],
): Promise<boolean> {
  const { kind, value, checks, usual, allow, challenge, review, block } = burst;
  const rows = await rowsOf(db, { told: bool })`
    WITH own AS MATERIALIZED (
      SELECT l.id, l.created_at FROM check_logs l JOIN check_subjects s ON ${SAME_CHECK}
      WHERE l.account_id = ${accountId} AND s.account_id = ${accountId} AND ${ofBurst(burst)}
        AND NOT starts_with(l.request_id, 'job_')
        AND l.created_at >= date_trunc('hour', now()) - interval '1 hour'
    ), b AS (
      INSERT INTO bursts (id, account_id, kind, value, started_at, usual, allow, challenge, review, block, examples)
      SELECT ${id}, ${accountId}, ${kind}, ${value}, coalesce((SELECT min(created_at) FROM own), now()), ${usual},
        ${allow}, ${challenge}, ${review}, ${block},
        ARRAY(SELECT id FROM own ORDER BY created_at DESC, id DESC LIMIT ${EXAMPLES})
      WHERE (SELECT count(*) FROM own) * 2 >= ${checks}::int
      ON CONFLICT (account_id, kind, value) WHERE ended_at IS NULL DO NOTHING
      RETURNING *
    )${tellAlone(accountId, id, mails)}
    SELECT enqueue_webhook_event(${accountId}, 'burst.started', ${TOLD}) IS NOT NULL AS told FROM b`;
  return rows.length > 0;
}

/** Counts a running burst from the hour in which it began. */
export async function countBurst(db: Database, accountId: string, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE bursts b SET allow = n.allow, challenge = n.challenge, review = n.review, block = n.block
    FROM (
      SELECT coalesce(sum(g.allow), 0) AS allow, coalesce(sum(g.challenge), 0) AS challenge,
        coalesce(sum(g.review), 0) AS review, coalesce(sum(g.block), 0) AS block
      FROM bursts o JOIN check_groups g ON g.account_id = o.account_id AND g.kind = o.kind AND g.value COLLATE "C" = o.value
        AND g.hour >= date_trunc('hour', o.started_at)
      WHERE o.id = ${id}
    ) n
    WHERE b.id = ${id} AND b.account_id = ${accountId} AND b.ended_at IS NULL
      AND n.allow + n.challenge + n.review + n.block > b.allow + b.challenge + b.review + b.block`;
}

/** Ends a burst and tells of it in one statement. */
export async function endBurst(
  db: Database,
  accountId: string,
  id: string,
  mails: readonly OutgoingMail[] = [],
): Promise<void> {
  await db.$executeRaw`
    WITH b AS (
      UPDATE bursts SET ended_at = now() WHERE id = ${id} AND account_id = ${accountId} AND ended_at IS NULL RETURNING *
    )${tellAlone(accountId, id, mails)}
    SELECT enqueue_webhook_event(${accountId}, 'burst.ended', ${TOLD}) FROM b`;
}
