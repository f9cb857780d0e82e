/** Every code of a refusal, by status. */
export const ERROR_CODES = {
  400: [
    'invalid_request',
    'idempotency_mismatch',
    'invalid_link',
    'no_email_column',
    'unreadable_file',
    'too_many_keys_made',
  ],
  401: [
    'invalid_token',
    'invalid_api_key',
    'invalid_signature',
    'invalid_credentials',
    'second_factor_required',
    'second_factor_wrong',
  ],
  403: [
    'forbidden',
    'account_suspended',
    'key_inactive',
    'key_expired',
    'address_not_allowed',
    'scope_missing',
    'key_not_owned',
    'key_mismatch',
  ],
  404: ['not_found'],
  409: [
    'job_state',
    'endpoint_disabled',
    'request_decided',
    'second_factor_on',
    'second_factor_off',
    'policy_conflict',
    'policy_blocks_most',
    'backtest_running',
  ],
  413: ['body_too_large', 'too_many_rows'],
  415: ['unsupported_media_type'],
  416: ['range_not_satisfiable'],
  429: [
    'too_many_requests',
    'login_locked',
    'too_many_jobs',
    'quota_exceeded',
    'key_quota_exceeded',
    'rate_limited',
    'idempotency_limit',
    'test_limit',
  ],
  500: ['internal_error'],
  503: ['unavailable', 'change_pending', 'not_set_up'],
} as const satisfies Record<number, readonly [string, ...string[]]>;

export type ErrorStatus = keyof typeof ERROR_CODES;
export type ErrorCode = (typeof ERROR_CODES)[ErrorStatus][number];
