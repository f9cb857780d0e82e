import { LRUCache } from 'lru-cache';
import { monotonicMs } from './monotonic-ms.js';

export type BlockedClients = ReturnType<typeof createBlockedClients>;

/** `maxSize`, unlike `max`, takes their memory when it is needed and not at the start. */
const REMEMBERED = { maxSize: 50_000, sizeCalculation: () => 1 };

/** Addresses over a limit, remembered in this process so that it refuses them before any work is done. */
export function createBlockedClients(now: () => number = monotonicMs) {
  const endsAt = new LRUCache<string, number>(REMEMBERED);
  return {
    /** Seconds until an address over its limit may try again; 0 for every other address. */
    secondsLeft: (address: string) => Math.max(0, Math.ceil(((endsAt.get(address) ?? 0) - now()) / 1000)),
    block: (address: string, seconds: number) =>
      void endsAt.set(address, now() + Math.max(1, seconds) * 1000),
  };
}
