import type { Role } from '@verdict/domain/role.js';
import type { Database } from '../database/client.js';
import { text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** Those who can stop an attack. */
const ROLES: readonly Role[] = ['owner', 'admin', 'analyst'];
const READERS_MAX = 10;

/** The confirmed addresses that hear of the account's bursts; none where it wants no mails about them. */
export async function burstReaders(db: Database, accountId: string): Promise<string[]> {
  const rows = await rowsOf(db, { email: text })`
    SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.account_id = ${accountId} AND m.role = ANY(${[...ROLES]}::text[]) AND u.email_verified_at IS NOT NULL
      AND EXISTS (SELECT FROM accounts WHERE id = ${accountId} AND burst_mails)
    ORDER BY u.created_at, u.id LIMIT ${READERS_MAX}`;
  return rows.map(({ email }) => email);
}
