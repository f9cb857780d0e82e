import { setTimeout as sleep } from 'node:timers/promises';
import { deleteAccount, secretHashes } from '@verdict/db/accounts/delete-account.js';
import { isProjected, suspendAccount } from '@verdict/db/accounts/operator-accounts.js';
import type { Database } from '@verdict/db/database/client.js';
import { forgetAccount } from '@verdict/redis-store/forget-account.js';
import { shards } from './config.js';
import { withDatabase, withRedis } from './connect.js';
import { operatorAudit } from './operator-audit.js';
import { requireAccount } from './require-account.js';

const PROJECTION_MS = 30_000;

/**
 * Deletes an account in Postgres and Redis. Suspends it first and waits until the gateways know, because otherwise a
 * key could be admitted against an account that no longer exists.
 */
export function deleteEverywhere(account: string, confirm: string) {
  return withDatabase((db) =>
    withRedis(async (redis) => {
      const { id, name } = await requireAccount(db, account);
      if (confirm !== id) throw new Error(`to delete ${name}, pass --confirm ${id}`);
      await suspendAccount(db, id, 'is being deleted', operatorAudit('account.suspended', id));
      await projected(db, id);
      const hashes = await secretHashes(db, id);
      await deleteAccount(db, id, operatorAudit('account.deleted', id));
      await forgetAccount({ redis, shards: await shards() }, id, hashes);
      return { account: id, name, deleted: true };
    }),
  );
}

async function projected(db: Database, accountId: string): Promise<void> {
  const deadline = Date.now() + PROJECTION_MS;
  while (!(await isProjected(db, accountId))) {
    if (Date.now() > deadline) {
      throw new Error(
        'the account is suspended but not deleted: no control plane brought that to Redis; start one and repeat',
      );
    }
    await sleep(200);
  }
}
