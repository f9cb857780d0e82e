import { accountKey } from './keys.js';
import type { AccountStore } from './shards.js';

/** Whether the account's answers say which networks IPs belong to: on unless its owner has turned it off. */
export const wantsIpNetworks = async ({ redis, shards }: AccountStore, accountId: string): Promise<boolean> =>
  (await redis.hget(accountKey(accountId, shards), 'ip_intelligence')) !== '0';
