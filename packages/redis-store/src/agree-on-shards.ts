import type { RedisConnection } from './connect.js';
import { SHARDS_KEY } from './keys.js';
import type { AccountStore } from './shards.js';

/**
 * The first process stores the number of shards. A process with another number would look for accounts and logs in the
 * wrong place, so it must not start.
 */
export async function agreeOnShards({ redis, shards }: AccountStore): Promise<void> {
  await redis.set(SHARDS_KEY, String(shards), 'NX');
  const noted = await notedShards(redis);
  if (noted !== shards) {
    throw new Error(
      `REDIS_SHARDS is ${shards}, but the accounts of this Redis are spread over ${noted}: set it to ${noted}, or change the shards with "verdict shards ${shards}"`,
    );
  }
}

/** Null for a Redis that no service has come up with yet. */
export async function notedShards(redis: RedisConnection): Promise<number | null> {
  const noted = await redis.get(SHARDS_KEY);
  return noted === null ? null : Number(noted);
}
