import type { CheckResult, Decision } from './answers.js';
import type { Fetch } from './send-once.js';
import type { Expansion } from './types.js';
import type { VerdictError } from './verdict-error.js';

export interface VerdictOptions<F extends Decision | undefined = undefined> {
  /** Otherwise VERDICT_API_KEY. Without either, the first call throws `not_configured`. */
  readonly apiKey?: string | undefined;
  /** Where the API is, with its version: `https://verdict.example.com/api/v1/`. Otherwise VERDICT_URL. */
  readonly baseUrl?: string | undefined;
  /** How long one try may take; 1,000. One try of a batch may take 10 more for each item. */
  readonly timeoutMs?: number | undefined;
  /** How long one call may take in all, tries and waits together; 3,000. */
  readonly deadlineMs?: number | undefined;
  /** Further tries after one that may succeed when repeated; 2. They count as one check. */
  readonly retries?: number | undefined;
  /** Concurrent requests; 64. More calls wait, and one whose turn comes too late ends with `queue_timeout`, unsent. */
  readonly concurrency?: number | undefined;
  /**
   * Whether checks carry an `Idempotency-Key`; true. Without one a try is repeated only after a 429: nothing else says for
   * certain that it did not count.
   */
  readonly idempotency?: boolean | undefined;
  /** The decision to return when the validator is slow, down or over capacity; without one the call throws. */
  readonly fallback?: F;
  /** Told once when an `ip` is none and is left out; `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Another implementation of fetch. */
  readonly fetch?: Fetch | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take. */
  readonly timeoutMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
  readonly retries?: number | undefined;
}

export interface BatchOptions extends CallOptions {
  readonly expand?: readonly Expansion[] | undefined;
  /** Items in the first request; 50, one second of the smallest plan. Later ones take what the plan allows. */
  readonly batchSize?: number | undefined;
  /** Concurrent requests; default 2. */
  readonly concurrency?: number | undefined;
}

export interface CheckOptions extends CallOptions {
  readonly expand?: readonly Expansion[] | undefined;
  /** Your idempotency key; by default each call makes one, shared by its attempts. */
  readonly idempotencyKey?: string | undefined;
}

/** The result of `check` when the validator could not be asked. `fallback` is the failure, for your log. */
export interface FallbackResult<F extends Decision = Decision> {
  readonly success: false;
  readonly id: null;
  readonly email: string;
  readonly ip: string | null;
  readonly decision: F;
  readonly fallback: VerdictError;
  readonly ipDropped?: true | undefined;
}

/** `ipDropped` is true when the `ip` was none, so that lists and rules by network did not see the check. */
export type CheckAnswer = CheckResult & {
  readonly fallback?: undefined;
  readonly ipDropped?: true | undefined;
};

/** Without a `fallback` a check returns an answer or throws; with one, `outcome.fallback` marks the substitute. */
export type CheckOutcome<F extends Decision | undefined> = F extends Decision
  ? CheckAnswer | FallbackResult<F>
  : CheckAnswer;
