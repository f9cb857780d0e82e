import { LRUCache } from 'lru-cache';
import { monotonicMs } from './monotonic-ms.js';

export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

interface TokenBucketsOptions {
  readonly burst: number;
  readonly perSecond: number;
  readonly ownersMax: number;
  /** How far below empty `spend` may go. */
  readonly debtMax?: number;
  readonly now?: () => number;
}

/** One token bucket per owner, refilled by a monotonic clock. Forgets the owners it has not seen for longest: they begin full again. */
export function createTokenBuckets(options: TokenBucketsOptions) {
  const { burst, perSecond, ownersMax, debtMax = 0, now = monotonicMs } = options;
  const buckets = new LRUCache<string, { tokens: number; at: number }>({
    // Unlike `max`, this takes their memory when it is needed and not at the start.
    maxSize: ownersMax,
    sizeCalculation: () => 1,
  });

  function refilled(owner: string): { tokens: number } {
    const time = now();
    const bucket = buckets.get(owner) ?? { tokens: burst, at: time };
    bucket.tokens = Math.min(burst, bucket.tokens + ((time - bucket.at) / 1000) * perSecond);
    bucket.at = time;
    buckets.set(owner, bucket);
    return bucket;
  }

  return {
    /** Takes a token of this owner's bucket. False where it is empty. */
    take(owner: string) {
      const bucket = refilled(owner);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    /** Takes tokens that were used already, down to the debt that an owner may have. */
    spend(owner: string, tokens: number) {
      const bucket = refilled(owner);
      bucket.tokens = Math.max(-debtMax, bucket.tokens - tokens);
    },
    /** Until the debt of this owner is paid; 0 without one. */
    secondsInDebt: (owner: string) => Math.max(0, -refilled(owner).tokens / perSecond),
    /** Whether `take` would be refused. */
    isEmpty: (owner: string) => refilled(owner).tokens < 1,
  };
}
