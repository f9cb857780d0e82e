import type { FieldError, Limits } from './types.js';

/** Codes that never left a server: the call did not get that far, or not in time. */
export type LocalCode = 'network_error' | 'timeout' | 'deadline_exceeded' | 'aborted' | 'not_json';

/** Codes of the API that a caller may want to tell apart; later versions of the service may send others. */
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
  | 'too_many_requests'
  | 'no_email_column'
  | 'unreadable_file'
  | 'too_many_rows'
  | 'too_many_jobs'
  | 'job_state'
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
}

/** A month does not end within a deadline. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'aborted',
  'deadline_exceeded',
  'quota_exceeded',
  'key_quota_exceeded',
]);

/** The only thing that this client throws. `message` is a sentence for people, `code` is for programs. */
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
  }

  /**
   * The validator is slow, down or has no room for us: nothing that the person who signs up could mend, so a fallback
   * decision may stand in. A malformed address, a wrong key or the caller's own abort are not.
   */
  get validatorUnavailable(): boolean {
    return this.code !== 'aborted' && (this.status === 0 || this.status === 429 || this.status >= 500);
  }

  /** Whether the same request may be answered when it is sent again. */
  get retryable(): boolean {
    if (FINAL.has(this.code)) return false;
    return this.validatorUnavailable;
  }
}
