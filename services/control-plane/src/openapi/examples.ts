/** Real answers: a test sends each request and compares. Only `id` and `created_at` differ from time to time. */
export const CHECK_EXAMPLES = {
  disposable: {
    summary: 'A throw-away address',
    request: { email: 'test@mailinator.com', ip: '203.0.113.7' },
    answer: {
      success: true,
      id: 'log_01KA3R8Q5T9V2X4Z6B8D0F2H4J',
      email: 'test@mailinator.com',
      ip: '203.0.113.7',
      decision: 'block',
      risk_score: 90,
      signals: { disposable_email: true, mx_valid: true, free_provider: false },
      reasons: ['Disposable email domain detected (operated by mailinator.com)'],
      created_at: '2026-11-15T09:30:12.123456+00:00',
    },
  },
} as const;
