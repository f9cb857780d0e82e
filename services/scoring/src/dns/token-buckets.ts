import { LRUCache } from 'lru-cache';

export interface TokenBuckets {
  /** Takes one token of this owner, or says that there is none. */
  take(owner: string): boolean;
}

interface TokenBucketsOptions {
  readonly burst: number;
  readonly perSecond: number;
  readonly ownersMax: number;
  readonly now?: () => number;
}

/** Refilled by the clock, not by timers; an owner not seen for long is forgotten and begins full again. */
export function createTokenBuckets({
  burst,
  perSecond,
  ownersMax,
  now = Date.now,
}: TokenBucketsOptions): TokenBuckets {
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: ownersMax });
  return {
    take(owner) {
      const time = now();
      const bucket = buckets.get(owner) ?? { tokens: burst, at: time };
      bucket.tokens = Math.min(burst, bucket.tokens + ((time - bucket.at) / 1000) * perSecond);
      bucket.at = time;
      buckets.set(owner, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
