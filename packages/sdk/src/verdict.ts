import { startDeadline } from './deadline.js';
import { createJobs, type Jobs } from './jobs.js';
import { createOnceKeys, type OnceKeys } from './once-keys.js';
import { retryDelayMs } from './retry-delay.js';
import { type ApiAnswer, type Fetch, type RawBody, sendOnce } from './send-once.js';
import type {
  BatchItem,
  BatchItemResult,
  CheckInput,
  CheckResult,
  Decision,
  Expansion,
  StatusResult,
  UsageResult,
} from './types.js';
import { VerdictError } from './verdict-error.js';

export type { CreateJobOptions, JobFile, Jobs, ResultOptions, WaitOptions } from './jobs.js';
export type { Fetch } from './send-once.js';
export type * from './signals.js';
export type * from './types.js';
export { type ErrorCode, VerdictError } from './verdict-error.js';
export { verifyWebhook, type WebhookHeaders } from './verify-webhook.js';

export interface VerdictOptions<F extends Decision | undefined = undefined> {
  readonly apiKey: string;
  /** Where the API is, with its version: `https://verdict.example.com/api/v1/`. */
  readonly baseUrl: string;
  /** How long one try may take; 1,000. */
  readonly timeoutMs?: number;
  /** How long one call may take in all, tries and waits together; 3,000. */
  readonly deadlineMs?: number;
  /** Further tries after one that may succeed when repeated; 2. They count as one check. */
  readonly retries?: number;
  /**
   * Whether checks carry an `Idempotency-Key`; true. Without one a try is repeated only after a 429: nothing else says for
   * certain that it did not count.
   */
  readonly idempotency?: boolean;
  /** The decision that stands in when the validator is slow, down or has no room; without one the call throws. */
  readonly fallback?: F;
  /** Another implementation of fetch. */
  readonly fetch?: Fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly retries?: number;
}

export interface BatchOptions extends CallOptions {
  readonly expand?: readonly Expansion[];
  /** Items in the first request; 50, one second of the smallest plan. Later ones take what the plan allows. */
  readonly batchSize?: number;
  /** Requests at once; 2. */
  readonly concurrency?: number;
}

export interface CheckOptions extends CallOptions {
  readonly expand?: readonly Expansion[];
  /** A key of your own; by default each call gets one, shared by its tries. */
  readonly idempotencyKey?: string;
}

/** What `check` gives when the validator could not be asked. `fallback` is what went wrong, to be logged. */
export interface FallbackResult<F extends Decision = Decision> {
  readonly success: false;
  readonly id: null;
  readonly email: string;
  readonly ip: string | null;
  readonly decision: F;
  readonly fallback: VerdictError;
}

/** Without a `fallback` a check has an answer or throws; with one, `outcome.fallback` tells the two apart. */
export type CheckOutcome<F extends Decision | undefined> = F extends Decision
  ? (CheckResult & { readonly fallback?: undefined }) | FallbackResult<F>
  : CheckResult;

const FIRST_BATCH = 50;
const BATCH_MAX = 1_000;
const TOO_MANY = 429;
const ONCE_HEADER = 'idempotency-key';

interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** A body that is sent as it is. */
  readonly raw?: { readonly body: RawBody; readonly type: string };
  /** Where a try may take longer than others. */
  readonly timeoutMs?: number;
  /** Without a key it might count twice when it is sent twice. */
  readonly isCharged?: boolean;
  /** One of the caller's own: it is sent, or the call fails. */
  readonly idempotencyKey?: string | undefined;
}

export class Verdict<F extends Decision | undefined = undefined> {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #deadlineMs: number;
  readonly #retries: number;
  readonly #fallback: F | undefined;
  readonly #onceKeys: OnceKeys;
  readonly #fetch: Fetch;
  /** Bulk jobs: files of addresses. */
  readonly jobs: Jobs;

  constructor(options: VerdictOptions<F>) {
    if (!options.apiKey) throw new TypeError('apiKey is required');
    this.#baseUrl = baseUrlOf(options.baseUrl);
    this.#headers = { accept: 'application/json', 'x-api-key': options.apiKey };
    this.#timeoutMs = positive('timeoutMs', options.timeoutMs ?? 1_000);
    this.#deadlineMs = positive('deadlineMs', options.deadlineMs ?? 3_000);
    this.#retries = options.retries ?? 2;
    this.#fallback = options.fallback;
    this.#onceKeys = createOnceKeys(options.idempotency ?? true, Date.now);
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.jobs = createJobs(
      async <T>(call: Call, options: CallOptions) => (await this.#call<T>(call, options)).body,
    );
  }

  /** How risky is this address? Throws a VerdictError, except where the `fallback` stands in. */
  async check(input: string | CheckInput, options: CheckOptions = {}): Promise<CheckOutcome<F>> {
    const { email, ip } = typeof input === 'string' ? { email: input, ip: null } : input;
    try {
      const { body } = await this.#call<CheckResult>(
        {
          method: 'POST',
          path: `check/${queryOf(options.expand)}`,
          body: ip ? { email, ip } : { email },
          isCharged: true,
          idempotencyKey: options.idempotencyKey,
        },
        options,
      );
      return body as CheckOutcome<F>;
    } catch (error) {
      const standIn = this.#fallback;
      if (standIn === undefined || !(error instanceof VerdictError) || !error.validatorUnavailable)
        throw error;
      const result: FallbackResult = {
        success: false,
        id: null,
        email,
        ip: ip ?? null,
        decision: standIn,
        fallback: error,
      };
      return result as CheckOutcome<F>;
    }
  }

  /**
   * Checks any number of addresses, in requests as large as the plan allows. Results come in the order of the items; one
   * that is malformed has `error` instead of `check`. A request that is too fast waits for its turn; deadline and retries
   * are for each request (30 s and 10 by default). Throws where a single check would, whatever the `fallback`: what was
   * answered until then has counted.
   */
  async checkBatch(items: readonly BatchItem[], options: BatchOptions = {}): Promise<BatchItemResult[]> {
    const results: BatchItemResult[] = [];
    const perRequest = { deadlineMs: 30_000, retries: 10, ...options };
    let size = positive('batchSize', options.batchSize ?? FIRST_BATCH);
    let next = 0;
    const take = async (): Promise<void> => {
      while (next < items.length) {
        const from = next;
        const part = items.slice(from, from + size);
        next += part.length;
        const { body, limits } = await this.#call<{ results: BatchItemResult[] }>(
          {
            method: 'POST',
            path: `check/batch/${queryOf(options.expand)}`,
            body: { items: part },
            isCharged: true,
          },
          perRequest,
        );
        body.results.forEach((result, i) => {
          results[from + i] = result;
        });
        size = Math.max(1, Math.min(BATCH_MAX, limits.rateLimit ?? size));
      }
    };
    await Promise.all(Array.from({ length: positive('concurrency', options.concurrency ?? 2) }, take));
    return results;
  }

  /** Is the service there and the key good? Which data is loaded? Never counts. */
  async status(options: CallOptions = {}): Promise<StatusResult> {
    return (await this.#call<StatusResult>({ method: 'GET', path: 'status/' }, options)).body;
  }

  /** What the running month has used. Never counts. */
  async usage(options: CallOptions = {}): Promise<UsageResult> {
    return (await this.#call<UsageResult>({ method: 'GET', path: 'usage/' }, options)).body;
  }

  async #call<T>(call: Call, options: CallOptions): Promise<ApiAnswer<T>> {
    const retries = options.retries ?? this.#retries;
    const deadline = startDeadline(
      positive('deadlineMs', options.deadlineMs ?? this.#deadlineMs),
      options.signal,
    );
    let ownKey = call.isCharged && !call.idempotencyKey ? this.#onceKeys.next() : undefined;
    const request = {
      method: call.method,
      url: `${this.#baseUrl}${call.path}`,
      headers: {
        ...this.#headers,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.raw && { 'content-type': call.raw.type }),
        ...onceHeader(call.idempotencyKey ?? ownKey),
      } as Record<string, string>,
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.raw && { body: call.raw.body }),
    };
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await sendOnce<T>(this.#fetch, request, call.timeoutMs ?? this.#timeoutMs, deadline);
        } catch (error) {
          if (!(error instanceof VerdictError)) throw error;
          if (ownKey && error.code === 'idempotency_limit') {
            // Nothing of this call was admitted, nor will anything be under its key: it goes on without.
            this.#onceKeys.pause(error.retryAfterSeconds ?? 0);
            ownKey = undefined;
            delete request.headers[ONCE_HEADER];
            attempt--;
            continue;
          }
          const mayHaveCounted =
            call.isCharged && !call.idempotencyKey && !ownKey && error.status !== TOO_MANY;
          if (!error.retryable || attempt >= retries || mayHaveCounted) throw error;
          const waitMs = retryDelayMs(attempt, error.retryAfterSeconds, Math.random);
          // Waiting past the deadline would only turn a clear reason into a vague one.
          if (waitMs >= deadline.remainingMs()) throw error;
          await deadline.sleep(waitMs);
        }
      }
    } finally {
      deadline.clear();
    }
  }
}

const onceHeader = (key: string | undefined): Record<string, string> => (key ? { [ONCE_HEADER]: key } : {});

const queryOf = (expand: readonly Expansion[] = []): string =>
  expand.length > 0 ? `?expand=${expand.join(',')}` : '';

function baseUrlOf(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('baseUrl must be an http or https address');
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

function positive(name: string, value: number): number {
  if (!(value > 0)) throw new TypeError(`${name} must be more than 0`);
  return value;
}
