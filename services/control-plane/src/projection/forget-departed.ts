import { departedAccounts } from '@verdict/db/accounts/delete-account.js';
import type { Database } from '@verdict/db/database/client.js';
import { forgetAccount } from '@verdict/redis-store/forget-account.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';

const DAYS = 2;

/**
 * Removes from Redis who was deleted lately: the deletion may have ended between the two stores, and a projection that was
 * under way at that moment writes the account once more.
 */
export async function forgetDeparted(stores: AccountStore & { readonly db: Database }): Promise<void> {
  for (const accountId of await departedAccounts(stores.db, DAYS)) await forgetAccount(stores, accountId, []);
}
