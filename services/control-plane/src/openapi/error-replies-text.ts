/** What each refusal means, and the codes that come with it, wherever it is answered. */
export const REFUSALS: Readonly<Record<string, string>> = {
  400: 'The body or a parameter is wrong; `errors` names the fields. Codes: `invalid_request`, `idempotency_mismatch`, `too_many_keys_made`.',
  401: 'No credential, or a bad one. Codes: `invalid_api_key`, `invalid_token`, `invalid_credentials`.',
  403: 'The credential may not do this. Codes: `key_inactive`, `key_expired`, `address_not_allowed`, `scope_missing`, `key_not_owned`, `key_mismatch`, `forbidden`.',
  404: 'There is nothing at this address, or nothing of yours. Code: `not_found`.',
  409: 'Not in this state.',
  413: 'The body is too large. Code: `body_too_large`.',
  415: 'The body is not JSON. Code: `unsupported_media_type`.',
  429: 'Too much. Codes: `quota_exceeded`, `key_quota_exceeded`, `rate_limited`, `idempotency_limit`, `too_many_requests`.',
  500: 'Something went wrong on our side. Code: `internal_error`.',
  503: 'A part is away; nothing was charged. Codes: `unavailable`, `change_pending`.',
};

export const WITH_RETRY_AFTER: ReadonlySet<string> = new Set(['409', '429', '503']);
