import { LRUCache } from 'lru-cache';

export interface Strangers {
  /** An address that failed so often that nothing more is asked on its behalf. */
  isShunned(address: string): boolean;
  shun(address: string, seconds: number): void;
}

const REMEMBERED_MAX = 50_000;

/** Addresses over the limit of failed authentications, remembered here so that the limit is read before any work is done. */
export function createStrangers(): Strangers {
  const shunned = new LRUCache<string, true>({ max: REMEMBERED_MAX });
  return {
    isShunned: (address) => shunned.has(address),
    shun: (address, seconds) => void shunned.set(address, true, { ttl: Math.max(1, seconds) * 1000 }),
  };
}
