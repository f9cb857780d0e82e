import { CHECK_BATCH_PATH, CHECK_PATH, STATUS_PATH, USAGE_PATH } from '@verdict/contracts/api-paths.js';

export interface Example {
  readonly summary: string;
  /** The body that is sent, where the route takes one. */
  readonly request?: object;
  readonly status: number;
  readonly answer: object;
}

const CHECKED = {
  success: true,
  id: 'log_01KA3R8Q5T9V2X4Z6B8D0F2H4J',
  email: 'test@mailinator.com',
  ip: '203.0.113.7',
  decision: 'block',
  risk_score: 90,
  signals: { disposable_email: true, mx_valid: true, free_provider: false },
  reasons: ['Disposable email domain detected (operated by mailinator.com)'],
  created_at: '2026-11-15T09:30:12.123456+00:00',
};

const NO_AT = {
  error: 'email: an email address needs an @ between mailbox and domain',
  code: 'invalid_request',
  errors: [{ field: 'email', message: 'an email address needs an @ between mailbox and domain' }],
};

const UNKNOWN_KEY: Example = {
  summary: 'A key that is mistyped, or none at all',
  status: 401,
  answer: {
    error: 'The API key is invalid or missing. Send it in the header X-API-Key.',
    code: 'invalid_api_key',
  },
};

/**
 * Real answers: a test sends each request and compares all but ids, times, counts and versions. Addresses of
 * test.verdict.example use a test key.
 */
export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  [CHECK_PATH]: {
    disposable: {
      summary: 'A throw-away address',
      request: { email: 'test@mailinator.com', ip: '203.0.113.7' },
      status: 200,
      answer: CHECKED,
    },
    malformed: {
      summary: 'A malformed address does not count',
      request: { email: 'jane.example.com' },
      status: 400,
      answer: NO_AT,
    },
    unknown_key: { ...UNKNOWN_KEY, request: { email: 'jane@example.com' } },
    month_used_up: {
      summary: 'The month is used up, rehearsed with a test key',
      request: { email: 'quota@test.verdict.example' },
      status: 429,
      answer: {
        error:
          'Monthly usage limit exceeded. It resets on 2026-12-01 at 00:00 UTC, or immediately with a larger plan.',
        code: 'quota_exceeded',
        checks_used: 1000,
        checks_limit: 1000,
        upgrade_url: '/api/v1/billing/subscription/',
      },
    },
    unavailable: {
      summary: 'Temporarily unavailable, rehearsed with a test key',
      request: { email: 'unavailable@test.verdict.example' },
      status: 503,
      answer: {
        error: 'The service cannot answer right now. Try again in a moment.',
        code: 'unavailable',
      },
    },
  },
  [CHECK_BATCH_PATH]: {
    mixed: {
      summary: 'One good address and one that is none',
      request: {
        items: [
          { email: 'test@mailinator.com', ip: '203.0.113.7', ref: 'row 1' },
          { email: 'jane.example.com', ref: 'row 2' },
        ],
      },
      status: 200,
      answer: {
        success: true,
        results: [
          { ref: 'row 1', check: CHECKED },
          { ref: 'row 2', ...NO_AT },
        ],
      },
    },
  },
  [STATUS_PATH]: {
    ok: {
      summary: 'The key is good',
      status: 200,
      answer: {
        success: true,
        status: 'ok',
        datasets: {
          disposable_domains: { count: 121570, version: '2026-11-14' },
          free_providers: { version: '2026-11-14' },
          role_prefixes: { version: '2026-11-14' },
        },
      },
    },
    unknown_key: UNKNOWN_KEY,
  },
  [USAGE_PATH]: {
    month: {
      summary: 'The running month',
      status: 200,
      answer: {
        success: true,
        plan: 'free',
        period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
        checks_used: 12,
        checks_limit: 1000,
        checks_remaining: 988,
        by_decision: { allow: 7, challenge: 2, review: 0, block: 3 },
        by_day: [{ date: '2026-11-15', checks: 12 }],
        resets_at: '2026-12-01T00:00:00.000Z',
      },
    },
  },
};
