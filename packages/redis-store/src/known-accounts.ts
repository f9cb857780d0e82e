import type { RedisConnection } from './connect.js';
import { ACCOUNT_PATTERN, accountOfKey } from './keys.js';
import { scanKeys } from './scan-keys.js';

/** Every account that this Redis knows, once. */
export async function* knownAccounts(redis: RedisConnection): AsyncGenerator<string> {
  const seen = new Set<string>();
  for await (const keys of scanKeys(redis, ACCOUNT_PATTERN)) {
    for (const account of keys.map(accountOfKey)) {
      if (seen.has(account)) continue;
      seen.add(account);
      yield account;
    }
  }
}
