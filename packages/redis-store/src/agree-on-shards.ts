import { SHARDS_KEY } from './keys.js';
import type { AccountStore } from './shards.js';

/**
 * The first process notes how many shards there are; one that was told otherwise would look for accounts and logs where
 * nobody puts them, so it must not start.
 */
export async function agreeOnShards({ redis, shards }: AccountStore): Promise<void> {
  await redis.set(SHARDS_KEY, String(shards), 'NX');
  const noted = await redis.get(SHARDS_KEY);
  if (noted !== String(shards)) {
    throw new Error(
      `REDIS_SHARDS is ${shards}, but this Redis holds the accounts of ${noted}: set it to ${noted}, or change the number with "pnpm operator shards"`,
    );
  }
}
