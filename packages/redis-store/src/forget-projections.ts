import { PROJECTED_PATTERNS, SHARDS_KEY } from './keys.js';
import { scanKeys } from './scan-keys.js';
import type { AccountStore } from './shards.js';

/**
 * Deletes every projected account and stores another number of shards. Only for an unused Redis with an empty queue:
 * each account is projected again, with the counts of Postgres, on demand; returns how many keys were deleted.
 */
export async function forgetProjections({ redis, shards }: AccountStore): Promise<number> {
  let dropped = 0;
  // First, so that a process starting meanwhile does not write to the wrong place.
  await redis.set(SHARDS_KEY, String(shards));
  for (const pattern of PROJECTED_PATTERNS) {
    for await (const keys of scanKeys(redis, pattern)) {
      for (const key of keys) dropped += await redis.unlink(key);
    }
  }
  return dropped;
}
