import { PROPOSAL_KINDS, type ProposalKind } from '@verdict/domain/outcomes.js';
import { GROUP_NETWORK } from '../checks/of-network.js';
import type { Database } from '../database/client.js';
import { int, oneOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** Labels of so many days are read; older ones proposed long ago what they had to. */
const PROPOSING_DAYS = 30;
const LABELS_MAX = 10_000;
const PROPOSALS_MAX = 50;
/** Abuse at one mailbox, and at one domain, network or mail server without a genuine person. */
const MAILBOX_MIN = 2;
const PLACE_MIN = 3;
/** A dismissed proposal comes back with so many times the abuse. */
const AGAIN_TIMES = 2;

const ProposalRow = { kind: oneOf(...PROPOSAL_KINDS), value: text, abuse: int, last_at: text };
export type ProposalRow = RowOf<typeof ProposalRow>;

/** No list of ours knows the domain, for better or worse. */
const IS_UNKNOWN = Prisma.sql`NOT (l.signals ->> 'free_provider')::boolean AND NOT (l.signals ->> 'disposable_email')::boolean`;
const NONE_GENUINE = Prisma.sql`count(*) FILTER (WHERE outcome = 'genuine') = 0`;

/**
 * Values that abuse was labelled at again and again: a mailbox by one of its addresses, a domain that is neither free nor
 * listed, the operator of the mail servers behind several such domains, a network. Those that somebody dismissed
 * come back with twice the abuse.
 */
export const readProposals = (db: Database, accountId: string): Promise<ProposalRow[]> =>
  rowsOf(db, ProposalRow)`
    WITH said AS MATERIALIZED (
      SELECT subject, outcome, said_at FROM outcomes
      WHERE account_id = ${accountId} AND said_at > now() - make_interval(days => ${PROPOSING_DAYS}::int)
      ORDER BY said_at DESC LIMIT ${LABELS_MAX}
    ), seen AS MATERIALIZED (
      SELECT o.outcome, o.said_at, s.id, s.email, s.domain, coalesce(s.mailbox_hash, s.email_hash) AS mailbox,
        split_part(s.mx, ' ', 1) AS mx, ${GROUP_NETWORK} AS network, ${IS_UNKNOWN} AS unknown
      FROM said o CROSS JOIN LATERAL (
        SELECT * FROM check_subjects c WHERE c.account_id = ${accountId} AND c.id = o.subject
        UNION ALL (
          SELECT * FROM check_subjects c WHERE c.account_id = ${accountId} AND c.email_hash = o.subject
          ORDER BY c.created_at DESC LIMIT 1)
        LIMIT 1
      ) s
      JOIN check_logs l ON l.id = s.id AND l.created_at = s.created_at AND l.account_id = ${accountId}
    ), places AS (
      SELECT 'domain' AS kind, domain AS value, mailbox AS one, outcome, said_at FROM seen WHERE unknown
      UNION ALL
      SELECT 'mx', mx, domain, outcome, said_at FROM seen WHERE unknown AND mx <> ''
      UNION ALL
      SELECT 'network', network, mailbox, outcome, said_at FROM seen WHERE network IS NOT NULL
    )
    SELECT p.kind, p.value, p.abuse, ${timestampText('p.last_at')} AS last_at FROM (
      SELECT 'mailbox' AS kind, max(email) AS value, mailbox AS subject, count(DISTINCT id) FILTER (WHERE outcome = 'abuse')::int AS abuse, max(said_at) AS last_at
      FROM seen WHERE email IS NOT NULL AND email NOT LIKE '%***@%'
      GROUP BY mailbox HAVING count(DISTINCT id) FILTER (WHERE outcome = 'abuse') >= ${MAILBOX_MIN} AND ${NONE_GENUINE}
      UNION ALL
      SELECT kind, value, value, count(DISTINCT one) FILTER (WHERE outcome = 'abuse')::int, max(said_at) FROM places
      GROUP BY kind, value
      HAVING count(DISTINCT one) FILTER (WHERE outcome = 'abuse') >= ${PLACE_MIN} AND ${NONE_GENUINE}
    ) p
    WHERE NOT EXISTS (
      SELECT FROM dismissed_proposals d
      WHERE d.account_id = ${accountId} AND d.kind = p.kind AND d.subject = p.subject AND p.abuse < ${AGAIN_TIMES} * d.abuse)
    ORDER BY p.last_at DESC, p.kind, p.value LIMIT ${PROPOSALS_MAX}`;

/** Dismissals that an account keeps, the newest. */
const DISMISSED_MAX = 1_000;

export interface Dismissal {
  readonly kind: ProposalKind;
  /** The value, or the keyed hash of a mailbox. */
  readonly subject: string;
  readonly abuse: number;
}

/** Hides a proposal until it has twice the abuse; 0 shows it again. */
export async function dismissProposal(
  db: Database,
  accountId: string,
  { kind, subject, abuse }: Dismissal,
  by: string,
): Promise<void> {
  await db.$transaction([
    db.$executeRaw`
      INSERT INTO dismissed_proposals (account_id, kind, subject, abuse, dismissed_by)
      VALUES (${accountId}, ${kind}, ${subject}, ${abuse}, ${by})
      ON CONFLICT (account_id, kind, subject) DO UPDATE
        SET abuse = excluded.abuse, dismissed_by = excluded.dismissed_by, dismissed_at = excluded.dismissed_at`,
    db.$executeRaw`
      DELETE FROM dismissed_proposals d USING (
        SELECT kind, subject FROM dismissed_proposals WHERE account_id = ${accountId}
        ORDER BY dismissed_at DESC, kind, subject OFFSET ${DISMISSED_MAX}
      ) old WHERE d.account_id = ${accountId} AND d.kind = old.kind AND d.subject = old.subject`,
  ]);
}
