export const REFUSED_TEXTS = {
  fields: (names: readonly string[]) => `Fields: ${names.join(', ')}.`,
  advice: {
    invalid_request: 'The request is malformed. Correct the fields it names.',
    idempotency_mismatch: 'An idempotency key was reused with another body. Use one key per request.',
    key_inactive: 'The key is switched off or revoked. Deploy the new one.',
    key_expired: 'The key has expired. Create a new one.',
    address_not_allowed: 'The call came from a network that the key does not allow.',
    scope_missing: 'The key lacks the scope for this call.',
    key_not_owned: 'The key belongs to another account.',
    key_mismatch: 'The body names another key than the header.',
    quota_exceeded: 'The checks of this month are used up. Upgrade, or wait for the next month.',
    key_quota_exceeded: 'The monthly limit of this key is used up. Raise it under Developers, Keys.',
    rate_limited: 'The calls came faster than your plan allows. Slow down or upgrade.',
    idempotency_limit: 'Too many idempotency keys today. Calls without one still work.',
    too_many_requests: 'Too many calls in a short time. Slow down.',
  } as Readonly<Record<string, string>>,
};
