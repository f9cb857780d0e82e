import { Prisma } from '../generated/client.js';

/**
 * Checks `l` that the lists of now would decide differently. Asks the revisions first, because an account has fewer of them
 * than checks.
 */
export const isRevised = (accountId: string): Prisma.Sql => Prisma.sql`(l.created_at, l.id) IN (
  SELECT r.checked_at, r.id FROM revisions r WHERE r.account_id = ${accountId} GROUP BY 1, 2
  HAVING (array_agg(r.from_decision ORDER BY r.created_at))[1] <> (array_agg(r.to_decision ORDER BY r.created_at DESC))[1])`;
