import {
  accountKey,
  hookDeliveriesKey,
  hookOwnerKey,
  hooksKey,
  identityKey,
  listsKey,
  policiesKey,
  seenKeys,
} from './keys.js';
import type { AccountStore } from './shards.js';

/** Removes an account that Postgres does not have any more, and whose its secrets were. */
export async function forgetAccount(
  { redis, shards }: AccountStore,
  accountId: string,
  secretHashes: readonly string[],
): Promise<void> {
  // One by one: on a cluster they are in different slots.
  await redis.del(accountKey(accountId, shards));
  await redis.del(listsKey(accountId, shards));
  await redis.del(policiesKey(accountId, shards));
  for (const id of await redis.hkeys(hooksKey(accountId, shards))) {
    await redis.del(hookOwnerKey(id));
    await redis.del(hookDeliveriesKey(accountId, id, shards));
  }
  await redis.del(hooksKey(accountId, shards));
  for (const key of seenKeys(accountId, shards)) await redis.del(key);
  for (const hash of secretHashes) await redis.del(identityKey(hash));
}
