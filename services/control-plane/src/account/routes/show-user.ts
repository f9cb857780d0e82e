import type { UserReply } from '@verdict/contracts/dashboard/auth-api.js';
import type { Database } from '@verdict/db/database/client.js';
import { findUser } from '@verdict/db/people/users.js';

export async function showUser(db: Database, userId: string): Promise<UserReply> {
  const row = await findUser(db, userId);
  if (!row) throw new Error(`user ${userId} vanished`);
  const { id, email, name, operator, email_verified, second_factor, created_at } = row;
  return {
    success: true,
    user: { id, email, name, operator, email_verified, second_factor, created_at },
    account: { id: row.account_id, name: row.account_name, plan: row.plan },
  };
}
