import { type FoundAccount, findAccount } from '@verdict/db/accounts/find-account.js';
import { hasBillingProfile } from '@verdict/db/billing/billing-profiles.js';
import type { Database } from '@verdict/db/database/client.js';

/** The account that an operator named by its id or by a user's email address. */
export async function requireAccount(db: Database, idOrEmail: string): Promise<FoundAccount> {
  const account = await findAccount(db, idOrEmail);
  if (!account) throw new Error(`there is no account ${idOrEmail}; see verdict accounts list`);
  return account;
}

/** The id of an account that is or was billed: one that was deleted can still lack what its last invoice needs. */
export async function requireBilled(db: Database, idOrEmail: string): Promise<string> {
  if (await hasBillingProfile(db, idOrEmail)) return idOrEmail;
  return (await requireAccount(db, idOrEmail)).id;
}
