import { Prisma } from '../generated/client.js';
import { beginsWith } from './begins-with.js';
import { SAME_CHECK } from './same-check.js';

/** Domains that a beginning may mean; whoever types three letters will type a fourth. */
const DOMAINS_MAX = 1_000;
/** Checks whose domains may not be grouped yet. */
const NEWEST = 1_000;

/**
 * Subjects whose address begins with a text, or whose domain does. The index of subjects holds domains from their end, so the
 * groups tell which domains begin so, and the newest checks those that are not grouped yet. OFFSET
 * keeps Postgres from reading a month for these.
 */
export function ofBeginning(accountId: string, text: string): Prisma.Sql {
  const at = text.indexOf('@');
  const address = beginsWith(Prisma.sql`lower(s.email)`, text);
  if (at > 0) return Prisma.sql`(s.email IS NOT NULL AND ${address})`;
  const beginning = text.slice(at + 1);
  const domains = Prisma.sql`reverse(s.domain) COLLATE "C" = ANY(ARRAY(
    (SELECT DISTINCT reverse(g.value) FROM check_groups g
      WHERE g.account_id = ${accountId} AND g.kind = 'domain' AND ${beginsWith(Prisma.sql`g.value`, beginning)}
      LIMIT ${DOMAINS_MAX})
    UNION
    SELECT reverse(n.domain) FROM (
      SELECT id, created_at, account_id FROM check_logs WHERE account_id = ${accountId}
      ORDER BY created_at DESC, id DESC LIMIT ${NEWEST}
    ) l, LATERAL (
      SELECT s.domain FROM check_subjects s WHERE ${SAME_CHECK} OFFSET 0
    ) n WHERE starts_with(n.domain, ${beginning})))`;
  return at === 0 ? domains : Prisma.sql`((s.email IS NOT NULL AND ${address}) OR ${domains})`;
}
