import { LRUCache } from 'lru-cache';

const HOLDERS_MAX = 50_000;

interface Bucket {
  left: number;
  atMs: number;
}

/** So many turns a second for each holder, and a second's worth at once. */
export function createAllowance(perSecond: number, now: () => number) {
  const buckets = new LRUCache<string, Bucket>({ max: HOLDERS_MAX });
  return {
    take(holder: string): boolean {
      const atMs = now();
      const bucket = buckets.get(holder) ?? { left: perSecond, atMs };
      bucket.left = Math.min(perSecond, bucket.left + ((atMs - bucket.atMs) / 1000) * perSecond);
      bucket.atMs = atMs;
      buckets.set(holder, bucket);
      if (bucket.left < 1) return false;
      bucket.left -= 1;
      return true;
    },
  };
}
