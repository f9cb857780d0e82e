import { signal } from './signal.js';

export const reservedDomain = signal({
  code: 'RESERVED_DOMAIN',
  kind: 'hard',
  points: 85,
  why: 'Reserved by RFC 2606, RFC 6761 and others; no mail can arrive',
  examples: [{ email: 'jane@acme.test', mail: 'not asked', factors: 'RESERVED_DOMAIN 85' }],
  ofDomain: ({ kind }) =>
    kind === 'reserved'
      ? 'The domain is reserved for tests or internal networks and cannot receive email'
      : undefined,
});
