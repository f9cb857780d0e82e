import { startDeadline } from './deadline.js';
import { retryDelayMs } from './retry-delay.js';
import { type ApiAnswer, type Fetch, sendOnce } from './send-once.js';
import type { CheckInput, CheckResult, Decision, Expansion, StatusResult, UsageResult } from './types.js';
import { VerdictError } from './verdict-error.js';

export type { Fetch } from './send-once.js';
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
  /** The decision that stands in when the validator is slow, down or has no room; without one the call throws. */
  readonly fallback?: F;
  /** Another implementation of fetch. */
  readonly fetch?: Fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
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

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

export class Verdict<F extends Decision | undefined = undefined> {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #deadlineMs: number;
  readonly #retries: number;
  readonly #fallback: F | undefined;
  readonly #fetch: Fetch;

  constructor(options: VerdictOptions<F>) {
    if (!options.apiKey) throw new TypeError('apiKey is required');
    this.#baseUrl = baseUrlOf(options.baseUrl);
    this.#headers = { accept: 'application/json', 'x-api-key': options.apiKey };
    this.#timeoutMs = positive('timeoutMs', options.timeoutMs ?? 1_000);
    this.#deadlineMs = positive('deadlineMs', options.deadlineMs ?? 3_000);
    this.#retries = options.retries ?? 2;
    this.#fallback = options.fallback;
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
  }

  /** How risky is this address? Throws a VerdictError, except where the `fallback` stands in. */
  async check(input: string | CheckInput, options: CheckOptions = {}): Promise<CheckOutcome<F>> {
    const { email, ip } = typeof input === 'string' ? { email: input, ip: null } : input;
    const query = options.expand?.length ? `?expand=${options.expand.join(',')}` : '';
    try {
      const { body } = await this.#call<CheckResult>(
        {
          method: 'POST',
          path: `check/${query}`,
          body: ip ? { email, ip } : { email },
          idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
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

  /** Is the service there and the key good? Which data is loaded? Never counts. */
  async status(options: CallOptions = {}): Promise<StatusResult> {
    return (await this.#call<StatusResult>({ method: 'GET', path: 'status/' }, options)).body;
  }

  /** What the running month has used. Never counts. */
  async usage(options: CallOptions = {}): Promise<UsageResult> {
    return (await this.#call<UsageResult>({ method: 'GET', path: 'usage/' }, options)).body;
  }

  async #call<T>(call: Call, options: CallOptions): Promise<ApiAnswer<T>> {
    const deadline = startDeadline(
      positive('deadlineMs', options.deadlineMs ?? this.#deadlineMs),
      options.signal,
    );
    const request = {
      method: call.method,
      url: `${this.#baseUrl}${call.path}`,
      headers: {
        ...this.#headers,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    };
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          return await sendOnce<T>(this.#fetch, request, this.#timeoutMs, deadline);
        } catch (error) {
          if (!(error instanceof VerdictError) || !error.retryable || attempt >= this.#retries) throw error;
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
