import type { Audit } from '@verdict/db/accounts/audited.js';
import { deleteAccount, secretHashes } from '@verdict/db/accounts/delete-account.js';
import { suspendAccount } from '@verdict/db/accounts/operator-accounts.js';
import { forgetAccount } from '@verdict/redis-store/forget-account.js';
import type { Dependencies } from '../dependencies.js';

/**
 * Deletes an account in Postgres and Redis. Suspends it first and waits until every gateway knows, because otherwise a
 * key could be admitted against an account that no longer exists; a deletion that fails half-way can be repeated.
 */
export async function deleteEverywhere(
  { db, redis, shards, projectOrPending }: Pick<Dependencies, 'db' | 'redis' | 'shards' | 'projectOrPending'>,
  accountId: string,
  audits: { readonly suspended: Audit; readonly deleted: Audit },
): Promise<void> {
  await suspendAccount(db, accountId, 'is being deleted', audits.suspended);
  await projectOrPending(accountId);
  const hashes = await secretHashes(db, accountId);
  await deleteAccount(db, accountId, audits.deleted);
  // The sweep repeats what fails here, see `forget-departed`.
  await forgetAccount({ redis, shards }, accountId, hashes).catch(() => undefined);
}
