/** The meaning and the codes of each error status. */
export const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The body or a parameter is wrong; `errors` names the fields. Codes: `invalid_request`, `idempotency_mismatch`, `invalid_link`, `no_email_column`, `unreadable_file`, `too_many_keys_made`.',
  401: 'No credential, or a bad one. Codes: `invalid_api_key`, `invalid_token`, `invalid_credentials`, `second_factor_required`, `second_factor_wrong`.',
  403: 'The credential may not do this. Codes: `key_inactive`, `key_expired`, `address_not_allowed`, `scope_missing`, `key_not_owned`, `key_mismatch`, `account_suspended`, `forbidden`.',
  404: 'There is nothing at this address, or nothing of yours. Code: `not_found`.',
  409: 'Not in this state. Codes name it, such as `job_state` and `endpoint_disabled`.',
  413: 'The body is too large. Codes: `body_too_large`, `too_many_rows`.',
  415: 'The body is not JSON, or no file that is taken here. Code: `unsupported_media_type`.',
  416: 'The file has fewer bytes. Code: `range_not_satisfiable`.',
  429: 'Too much. Codes: `quota_exceeded`, `key_quota_exceeded`, `rate_limited`, `idempotency_limit`, `test_limit`, `too_many_requests`, `login_locked`, `too_many_jobs`.',
  500: 'Something went wrong on our side. Code: `internal_error`.',
  503: 'A part is away; nothing was charged. Codes: `unavailable`, `change_pending`, `not_set_up`.',
};

export const WITH_RETRY_AFTER: ReadonlySet<string> = new Set(['409', '429', '503']);
