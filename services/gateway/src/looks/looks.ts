import type { UsageBreakdown } from '@verdict/contracts/control-plane-api.js';
import type { Datasets } from '@verdict/contracts/datasets.js';
import { tooManyRequests } from '@verdict/service-kit/errors.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import { LRUCache } from 'lru-cache';
import { rateLimited } from '../check/limit-errors.js';

/** The facts that a look returns about an account. */
export interface Seen {
  readonly used: number;
  readonly limit: number;
  readonly rate: number;
}

interface LooksOptions {
  readonly perSecond: number;
  readonly usage: (accountId: string, month: string) => Promise<UsageBreakdown>;
  readonly datasets: () => Promise<Datasets>;
}

export type Looks = ReturnType<typeof createLooks>;

const KEYS_MAX = 50_000;
const ACCOUNTS_MAX = 10_000;
const BELIEVED_MS = 1_000;
const RETRY_SECONDS = 1;
/** A key may waste this many times its rate, so that retries of an honest client never add up to a debt. */
const WASTE_FACTOR = 4;
const WASTE_DEBT_SECONDS = 2;
/** The rate of a key that this gateway has not served yet: one malformed batch must not silence it. */
const UNSEEN_RATE = 50;

/**
 * Looks cost no check, so they have a separate rate, and data from other services is cached for a second. The counter
 * is read each time, because it is what the caller asks for and costs one Redis command.
 */
export function createLooks({ perSecond, usage, datasets }: LooksOptions) {
  const allowance = createTokenBuckets({ burst: perSecond, perSecond, ownersMax: KEYS_MAX });
  const waste = createTokenBuckets({
    burst: 1,
    perSecond: 1,
    debtMax: WASTE_DEBT_SECONDS,
    ownersMax: KEYS_MAX,
  });
  const lastSeen = new LRUCache<string, Seen>({ max: ACCOUNTS_MAX });
  const usages = new LRUCache<string, Promise<UsageBreakdown>>({ max: ACCOUNTS_MAX, ttl: BELIEVED_MS });
  const loaded = new LRUCache<string, Promise<Datasets>>({ max: 1, ttl: BELIEVED_MS });

  return {
    /** Throws a 429 when this key looks too often; to be asked before anything is done. */
    spend(keyId: string): void {
      if (allowance.take(keyId)) return;
      const seen = lastSeen.get(keyId);
      if (!seen) throw tooManyRequests(RETRY_SECONDS);
      throw rateLimited(seen, RETRY_SECONDS);
    },
    /** For a session that sends what cannot be read: each costs a question to the control plane, and no check. */
    countFailure(sessionId: string): void {
      allowance.take(sessionId);
    },
    /** Throws a 429 when a session did so too often; to be asked before anything is done. */
    refuseFailing(sessionId: string): void {
      if (allowance.isEmpty(sessionId)) throw tooManyRequests(RETRY_SECONDS);
    },
    /** Spends the key's rate for items of batches that count no check: refused, malformed or replayed ones. */
    wasteItems(keyId: string, items: number): void {
      const { rate = UNSEEN_RATE } = lastSeen.get(keyId) ?? {};
      waste.spend(keyId, items / (WASTE_FACTOR * rate));
    },
    /** Throws a 429 while a key has wasted more than its rate; to be asked before a batch is read. */
    refuseWasteful(keyId: string): void {
      const seconds = Math.ceil(waste.secondsInDebt(keyId));
      if (seconds === 0) return;
      const seen = lastSeen.get(keyId);
      throw seen ? rateLimited(seen, seconds) : tooManyRequests(seconds);
    },
    /** The values for the 429 of a later look. */
    noteSeen(keyId: string, { used, limit, rate }: Seen): void {
      lastSeen.set(keyId, { used, limit, rate });
    },
    usage: (accountId: string, month: string) =>
      once(usages, `${accountId} ${month}`, () => usage(accountId, month)),
    datasets: () => once(loaded, 'all', datasets),
  };
}

/** Caches the promise, so that concurrent callers wait for the same answer. */
function once<T extends object>(
  memory: LRUCache<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const known = memory.get(key);
  if (known) return known;
  const asked = ask();
  memory.set(key, asked);
  // A failure reaches all waiting callers and is not cached.
  asked.catch(() => memory.delete(key));
  return asked;
}
