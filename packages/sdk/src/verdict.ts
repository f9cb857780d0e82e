import { readBaseUrl } from './base-url.js';
import { checkInParts } from './check-in-parts.js';
import { setting } from './config.js';
import { startDeadline } from './deadline.js';
import { type IsAnswer, isBatchOf, isCheck, isStatus, isUsage } from './is-answer.js';
import type { Upload } from './job-file.js';
import { createJobs, type Jobs } from './jobs.js';
import { createOnceKeys, type OnceKeys } from './once-keys.js';
import { retryDelayMs } from './retry-delay.js';
import { type ApiAnswer, type Fetch, sendOnce } from './send-once.js';
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
import { createUsableIp } from './usable-ip.js';
import { VerdictError } from './verdict-error.js';

export type { JobFile } from './job-file.js';
export type { CreateJobOptions, Jobs, ResultOptions, WaitOptions } from './jobs.js';
export type { Fetch } from './send-once.js';
export type * from './signals.js';
export type * from './types.js';
export { type ErrorCode, VerdictError } from './verdict-error.js';
export { verifyWebhook, type WebhookHeaders } from './verify-webhook.js';

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
}

/** Without a `fallback` a check returns an answer or throws; with one, `outcome.fallback` marks the substitute. */
export type CheckOutcome<F extends Decision | undefined> = F extends Decision
  ? (CheckResult & { readonly fallback?: undefined }) | FallbackResult<F>
  : CheckResult;

const FIRST_BATCH = 50;
/** The time that a batch may take per item beyond that of a single check. */
const ITEM_MS = 10;
const TOO_MANY = 429;
const ONCE_HEADER = 'idempotency-key';

interface Call<T> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly isAnswer: IsAnswer<T>;
  readonly json?: unknown;
  readonly upload?: Upload & { readonly type: string };
  /** Where a try may take longer than others. */
  readonly timeoutMs?: number;
  /** Without a key it might count twice when it is sent twice. */
  readonly isCharged?: boolean;
  /** One of the caller's own: it is sent, or the call fails. */
  readonly idempotencyKey?: string | undefined;
  /** Nobody waits for a further try. */
  readonly isGivenUp?: () => boolean;
}

export class Verdict<F extends Decision | undefined = undefined> {
  #baseUrl: string | undefined;
  readonly #apiKey: string | undefined;
  readonly #timeoutMs: number;
  readonly #deadlineMs: number;
  readonly #retries: number;
  readonly #fallback: F | undefined;
  readonly #onceKeys: OnceKeys;
  readonly #usableIp: (ip: string | null | undefined) => string | undefined;
  readonly #fetch: Fetch;
  /** Bulk jobs: files of addresses. */
  readonly jobs: Jobs;

  constructor(options: VerdictOptions<F> = {}) {
    if (options.baseUrl !== undefined) this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#apiKey = options.apiKey;
    this.#timeoutMs = positive('timeoutMs', options.timeoutMs ?? 1_000);
    this.#deadlineMs = positive('deadlineMs', options.deadlineMs ?? 3_000);
    this.#retries = readRetries(options.retries ?? 2);
    this.#fallback = options.fallback;
    this.#onceKeys = createOnceKeys(options.idempotency ?? true, Date.now);
    // biome-ignore lint/suspicious/noConsole: whoever gave no other place is to see it
    this.#usableIp = createUsableIp(options.warn ?? ((message) => console.warn(message)));
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.jobs = createJobs(
      async <T>(call: Call<T>, options: CallOptions) => (await this.#call<T>(call, options)).body,
    );
  }

  /** Scores an address. Throws a VerdictError, unless the `fallback` applies. */
  async check(input: string | CheckInput, options: CheckOptions = {}): Promise<CheckOutcome<F>> {
    const { email, ip } = typeof input === 'string' ? { email: input, ip: null } : (input ?? {});
    if (!email) throw noEmail();
    try {
      const { body } = await this.#call<CheckResult>(
        {
          method: 'POST',
          path: `check/${queryOf(options.expand)}`,
          isAnswer: isCheck,
          json: { email, ip: this.#usableIp(ip) },
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
   * are for each request (30 s and 10 by default). Throws where a single check would, whatever the `fallback`, and sends
   * nothing more; `error.results` has what was answered, each at the index of its item.
   */
  async checkBatch(items: readonly BatchItem[], options: BatchOptions = {}): Promise<BatchItemResult[]> {
    const results: BatchItemResult[] = [];
    try {
      for await (const result of this.checkEach(items, options)) results.push(result);
    } catch (error) {
      if (!(error instanceof VerdictError)) throw error;
      const answered = Object.assign([...results], error.results);
      throw new VerdictError(error.message, { ...error, results: answered }, { cause: error.cause });
    }
    return results;
  }

  /** As `checkBatch`, one result after the other, for more items than fit in memory. `error.results` has what was answered and not yet read. */
  checkEach(
    items: Iterable<BatchItem> | AsyncIterable<BatchItem>,
    options: BatchOptions = {},
  ): AsyncGenerator<BatchItemResult, void, undefined> {
    const perRequest = { deadlineMs: 30_000, retries: 10, ...options };
    return checkInParts(items, {
      firstSize: positive('batchSize', options.batchSize ?? FIRST_BATCH),
      concurrency: positive('concurrency', options.concurrency ?? 2),
      send: (part, isGivenUp) =>
        this.#call<{ results: BatchItemResult[] }>(
          {
            method: 'POST',
            path: `check/batch/${queryOf(options.expand)}`,
            isAnswer: isBatchOf(part.length),
            json: { items: part.map((item) => ({ ...item, ip: this.#usableIp(item.ip) })) },
            timeoutMs: this.#timeoutMs + part.length * ITEM_MS,
            isCharged: true,
            isGivenUp,
          },
          perRequest,
        ),
    });
  }

  /** Whether the service is up and the key valid, and which data is loaded. Never counts. */
  async status(options: CallOptions = {}): Promise<StatusResult> {
    return (await this.#call<StatusResult>({ method: 'GET', path: 'status/', isAnswer: isStatus }, options))
      .body;
  }

  /** Usage of the running month. Never counts. */
  async usage(options: CallOptions = {}): Promise<UsageResult> {
    return (await this.#call<UsageResult>({ method: 'GET', path: 'usage/', isAnswer: isUsage }, options))
      .body;
  }

  async #call<T>(call: Call<T>, options: CallOptions): Promise<ApiAnswer<T>> {
    const apiKey = this.#apiKey || setting('VERDICT_API_KEY');
    if (!apiKey) throw notConfigured('VERDICT_API_KEY', 'apiKey');
    const address = this.#baseUrl ?? setting('VERDICT_URL');
    if (!address) throw notConfigured('VERDICT_URL', 'baseUrl');
    this.#baseUrl ??= readBaseUrl(address);
    const retries = options.retries === undefined ? this.#retries : readRetries(options.retries);
    const timeoutMs = positive('timeoutMs', options.timeoutMs ?? call.timeoutMs ?? this.#timeoutMs);
    const deadline = startDeadline(
      positive('deadlineMs', options.deadlineMs ?? this.#deadlineMs),
      options.signal,
    );
    let ownKey = call.isCharged && !call.idempotencyKey ? this.#onceKeys.next() : undefined;
    const headers: Record<string, string> = { accept: 'application/json', 'x-api-key': apiKey };
    const once = call.idempotencyKey ?? ownKey;
    if (once) headers[ONCE_HEADER] = once;
    const type = call.upload?.type ?? (call.json === undefined ? undefined : 'application/json');
    if (type) headers['content-type'] = type;
    const text = call.json === undefined ? undefined : JSON.stringify(call.json);
    const request = {
      method: call.method,
      url: `${this.#baseUrl}${call.path}`,
      headers,
      open: call.upload?.open ?? (text === undefined ? undefined : () => text),
      isAnswer: call.isAnswer,
    };
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await sendOnce<T>(this.#fetch, request, timeoutMs, deadline);
        } catch (error) {
          if (!(error instanceof VerdictError)) throw error;
          if (ownKey && error.code === 'idempotency_limit') {
            // Nothing of this call was admitted or will be under its key, so it continues without one.
            this.#onceKeys.pause(error.retryAfterSeconds ?? 0);
            ownKey = undefined;
            delete headers[ONCE_HEADER];
            attempt--;
            continue;
          }
          const mayHaveCounted =
            call.isCharged && !call.idempotencyKey && !ownKey && error.status !== TOO_MANY;
          if (!error.retryable || attempt >= retries || mayHaveCounted || call.isGivenUp?.()) throw error;
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

const queryOf = (expand: readonly Expansion[] = []): string =>
  expand.length > 0 ? `?expand=${expand.join(',')}` : '';

/** Returns the answer that the service would give, without asking it. */
const noEmail = () =>
  new VerdictError('email: is required', {
    code: 'invalid_request',
    status: 400,
    errors: [{ field: 'email', message: 'is required' }],
  });

/** Told by the first call and not where the client is made: frameworks load modules while they build, without secrets. */
const notConfigured = (variable: string, option: string) =>
  new VerdictError(`Set ${variable}, or give the client the option ${option}.`, { code: 'not_configured' });

function positive(name: string, value: number): number {
  if (!(value > 0)) throw new TypeError(`${name} must be more than 0`);
  return value;
}

function readRetries(value: number): number {
  if (!(value >= 0)) throw new TypeError('retries must be 0 or more');
  return value;
}
