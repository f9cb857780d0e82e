import type { Audit } from '@verdict/db/accounts/audited.js';
import { deleteAccount, secretHashes } from '@verdict/db/accounts/delete-account.js';
import { suspendAccount } from '@verdict/db/accounts/operator-accounts.js';
import { forgetAccount } from '@verdict/redis-store/forget-account.js';
import type { Dependencies } from '../dependencies.js';

/**
 * Deletes an account in Postgres and Redis. It is suspended first, and every gateway goes by that before it is deleted:
 * in the other order a key could be admitted against an account that nobody knows any more. When it fails half-way the
 * account is suspended, its owner can still log in, and deleting it again goes on.
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
  // What fails here the sweep finds: see `forget-departed`.
  await forgetAccount({ redis, shards }, accountId, hashes).catch(() => undefined);
}
