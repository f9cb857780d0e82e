import { departedAccounts } from '@verdict/db/accounts/delete-account.js';
import type { Database } from '@verdict/db/database/client.js';
import { forgetAccount } from '@verdict/redis-store/forget-account.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';

const DAYS = 2;

/**
 * Removes recently deleted accounts from Redis, because the deletion may have stopped between the two stores or a
 * running projection may have written the account again.
 */
export async function forgetDeparted(stores: AccountStore & { readonly db: Database }): Promise<void> {
  for (const accountId of await departedAccounts(stores.db, DAYS)) await forgetAccount(stores, accountId, []);
}
