import type { Database } from '../database/client.js';
import { int, oneOf, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** Labels of so many days are read; older ones proposed long ago what they had to. */
const PROPOSING_DAYS = 30;
const LABELS_MAX = 10_000;
const PROPOSALS_MAX = 50;
/** Abuse at one mailbox, and at one domain or mail server without a genuine person. */
const MAILBOX_MIN = 2;
const PLACE_MIN = 3;

const ProposalRow = { kind: oneOf('mailbox', 'domain', 'mx'), value: text, abuse: int, last_at: text };
export type ProposalRow = RowOf<typeof ProposalRow>;

/** No list of ours knows the domain, for better or worse. */
const IS_UNKNOWN = Prisma.sql`NOT (l.signals ->> 'free_provider')::boolean AND NOT (l.signals ->> 'disposable_email')::boolean`;
const NONE_GENUINE = Prisma.sql`count(*) FILTER (WHERE outcome = 'genuine') = 0`;

/**
 * Values that abuse was labelled at again and again: a mailbox by one of its addresses, a domain that is neither free nor
 * listed, the operator of the mail servers behind several such domains. Stores and does nothing.
 */
export const readProposals = (db: Database, accountId: string): Promise<ProposalRow[]> =>
  rowsOf(db, ProposalRow)`
    WITH said AS MATERIALIZED (
      SELECT subject, outcome, said_at FROM outcomes
      WHERE account_id = ${accountId} AND said_at > now() - make_interval(days => ${PROPOSING_DAYS}::int)
      ORDER BY said_at DESC LIMIT ${LABELS_MAX}
    ), seen AS MATERIALIZED (
      SELECT o.outcome, o.said_at, s.id, s.email, s.domain, coalesce(s.mailbox_hash, s.email_hash) AS mailbox,
        split_part(s.mx, ' ', 1) AS mx, ${IS_UNKNOWN} AS unknown
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
    )
    SELECT p.kind, p.value, p.abuse, ${timestampText('p.last_at')} AS last_at FROM (
      SELECT 'mailbox' AS kind, max(email) AS value, count(DISTINCT id) FILTER (WHERE outcome = 'abuse')::int AS abuse, max(said_at) AS last_at
      FROM seen WHERE email IS NOT NULL AND email NOT LIKE '%***@%'
      GROUP BY mailbox HAVING count(DISTINCT id) FILTER (WHERE outcome = 'abuse') >= ${MAILBOX_MIN} AND ${NONE_GENUINE}
      UNION ALL
      SELECT kind, value, count(DISTINCT one) FILTER (WHERE outcome = 'abuse')::int, max(said_at) FROM places
      GROUP BY kind, value
      HAVING count(DISTINCT one) FILTER (WHERE outcome = 'abuse') >= ${PLACE_MIN} AND ${NONE_GENUINE}
    ) p ORDER BY p.last_at DESC, p.kind, p.value LIMIT ${PROPOSALS_MAX}`;
