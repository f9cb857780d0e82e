import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { ACCOUNT_PATTERN, accountOfKey, RESERVED_PATTERN } from './keys.js';

/** Accounts with checks on their way, or whose checks never arrived. */
export const accountsWithReservations = (redis: RedisConnection): AsyncGenerator<string> =>
  scanAccounts(redis, RESERVED_PATTERN);

/** Every account that this Redis knows. */
export const knownAccounts = (redis: RedisConnection): AsyncGenerator<string> =>
  scanAccounts(redis, ACCOUNT_PATTERN);

/** SCAN may show a key twice; an account is given once. */
async function* scanAccounts(redis: RedisConnection, pattern: string): AsyncGenerator<string> {
  const seen = new Set<string>();
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', 1000);
      cursor = next;
      for (const account of keys.map(accountOfKey)) {
        if (seen.has(account)) continue;
        seen.add(account);
        yield account;
      }
    } while (cursor !== '0');
  }
}
