import { type FoundAccount, findAccount } from '@verdict/db/accounts/find-account.js';
import type { Database } from '@verdict/db/database/client.js';

/** The account that an operator named by its id or by a user's email address. */
export async function requireAccount(db: Database, idOrEmail: string): Promise<FoundAccount> {
  const account = await findAccount(db, idOrEmail);
  if (!account) throw new Error(`there is no account ${idOrEmail}; see verdict accounts list`);
  return account;
}
