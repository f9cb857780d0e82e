import type { RedisConnection } from './connect.js';

/** Redis and how its accounts are spread: what every access to an account needs. */
export interface AccountStore {
  readonly redis: RedisConnection;
  readonly shards: number;
}

/** The shard of an account: a pure function of its id, so that every process finds the same one (FNV-1a). */
export function shardOf(accountId: string, shards: number): number {
  if (shards === 1) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < accountId.length; i++) hash = Math.imul(hash ^ accountId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % shards;
}
