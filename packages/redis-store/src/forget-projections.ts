import { PROJECTED_PATTERNS, SHARDS_KEY } from './keys.js';
import { scanKeys } from './scan-keys.js';
import type { AccountStore } from './shards.js';

/**
 * Forgets every account that was projected, and notes another number of shards. Only for a Redis that nobody uses and
 * whose queue is empty: each account is projected again, with the counts of Postgres, when it is next asked for.
 * Returns how many keys were dropped.
 */
export async function forgetProjections({ redis, shards }: AccountStore): Promise<number> {
  let dropped = 0;
  // First: a process that comes up meanwhile must not write where nobody will look.
  await redis.set(SHARDS_KEY, String(shards));
  for (const pattern of PROJECTED_PATTERNS) {
    for await (const keys of scanKeys(redis, pattern)) {
      for (const key of keys) dropped += await redis.unlink(key);
    }
  }
  return dropped;
}
