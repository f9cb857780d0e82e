import type { FieldError } from './answers.js';
import type { BatchItemResult, Limits } from './types.js';

/** Codes of this client: no answer in time, or an answer that is not the API's. */
export type LocalCode =
  | 'network_error'
  | 'timeout'
  | 'deadline_exceeded'
  | 'queue_timeout'
  | 'aborted'
  | 'not_configured'
  | 'not_json'
  | 'bad_answer'
  | 'redirected';

/** Codes of the API that a caller may want to distinguish; later versions may send others. */
export type ApiCode =
  | 'invalid_request'
  | 'invalid_api_key'
  | 'invalid_token'
  | 'key_inactive'
  | 'key_expired'
  | 'address_not_allowed'
  | 'scope_missing'
  | 'key_not_owned'
  | 'key_mismatch'
  | 'not_found'
  | 'method_not_allowed'
  | 'idempotency_mismatch'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'quota_exceeded'
  | 'key_quota_exceeded'
  | 'rate_limited'
  | 'idempotency_limit'
  | 'test_limit'
  | 'too_many_requests'
  | 'no_email_column'
  | 'unreadable_file'
  | 'too_many_rows'
  | 'too_many_jobs'
  | 'job_state'
  | 'range_not_satisfiable'
  | 'internal_error'
  | 'unavailable';

export type ErrorCode = LocalCode | ApiCode | (string & {});

export interface ErrorDetail {
  readonly code: ErrorCode;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly limits: Limits | null;
  /** The fields that a 400 names. */
  readonly errors: readonly FieldError[];
  /** Both of a 429 of the validation API. */
  readonly checksUsed: number | null;
  readonly checksLimit: number | null;
  /** Of a batch that failed: what was answered, each result at the index of its item. */
  readonly results: readonly (BatchItemResult | undefined)[];
}

/** Somebody between us and the API answered, or something that does not speak for it. */
const FOREIGN: ReadonlySet<ErrorCode> = new Set(['not_json', 'bad_answer', 'redirected']);

/** A month does not end within a deadline. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'aborted',
  'deadline_exceeded',
  'queue_timeout',
  'not_configured',
  'quota_exceeded',
  'key_quota_exceeded',
  'idempotency_limit',
  'test_limit',
]);

/** The same in the ESM and in the CommonJS build, where the class is not. */
const BRAND = Symbol.for('@verdict/sdk VerdictError');

/** The error that this client throws. `message` is a sentence for people, `code` is for programs. */
export class VerdictError extends Error implements ErrorDetail {
  override readonly name = 'VerdictError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly limits: Limits | null;
  readonly errors: readonly FieldError[];
  readonly checksUsed: number | null;
  readonly checksLimit: number | null;
  readonly results: readonly (BatchItemResult | undefined)[];

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  constructor(
    message: string,
    detail: Partial<ErrorDetail> & Pick<ErrorDetail, 'code'>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = detail.code;
    this.status = detail.status ?? 0;
    this.requestId = detail.requestId ?? null;
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
    this.limits = detail.limits ?? null;
    this.errors = detail.errors ?? [];
    this.checksUsed = detail.checksUsed ?? null;
    this.checksLimit = detail.checksLimit ?? null;
    this.results = detail.results ?? [];
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * The validator is slow, down, has no room, or something else answered in its place: a fallback decision may stand in. A
   * malformed address, a wrong key, a missing setting and the caller's own abort are not.
   */
  get validatorUnavailable(): boolean {
    if (this.code === 'aborted' || this.code === 'not_configured') return false;
    return FOREIGN.has(this.code) || isTransient(this.status);
  }

  /** The month's checks are used up, for the account or for this key: no outage, and it lasts until the month ends or the plan grows. */
  get quotaUsedUp(): boolean {
    return this.code === 'quota_exceeded' || this.code === 'key_quota_exceeded';
  }

  /** Whether the same request may be answered when it is sent again. */
  get retryable(): boolean {
    if (FINAL.has(this.code)) return false;
    // A page with status 200 may be gone in a moment; a refusal by a proxy will not.
    return isTransient(this.status) || (FOREIGN.has(this.code) && this.status < 300);
  }
}

const isTransient = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;
