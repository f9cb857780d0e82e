import { LRUCache } from 'lru-cache';

export type BlockedClients = ReturnType<typeof createBlockedClients>;

const REMEMBERED_MAX = 50_000;

/** Addresses over the limit of failed authentications, remembered here so that the limit is read before any work is done. */
export function createBlockedClients() {
  const blocked = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  return {
    /** An address over its limit of failures, for which nothing more is looked up. */
    isBlocked: (address: string) => blocked.has(address),
    block: (address: string, seconds: number) =>
      void blocked.set(address, true, { ttl: Math.max(1, seconds) * 1000 }),
  };
}
