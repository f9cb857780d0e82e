import type { UserReply } from '@verdict/contracts/dashboard/auth-api.js';
import type { Database } from '@verdict/db/database/client.js';
import { listMemberships } from '@verdict/db/people/memberships.js';
import { findUser } from '@verdict/db/people/users.js';

/** A user, the account of the request, and the others to switch to. */
export async function showUser(
  db: Database,
  userId: string,
  accountId: string,
  sessionId: string | null = null,
): Promise<UserReply> {
  const [user, memberships] = await Promise.all([
    findUser(db, userId, sessionId),
    listMemberships(db, userId),
  ]);
  const account = memberships.find(({ id }) => id === accountId);
  if (!user || !account) throw new Error(`user ${userId} vanished`);
  const accounts = memberships.map(({ id, name, role }) => ({ id, name, role }));
  return { success: true, user, account, accounts };
}
