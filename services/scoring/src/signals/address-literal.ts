import { signal } from './signal.js';

export const addressLiteral = signal({
  code: 'ADDRESS_LITERAL',
  kind: 'hard',
  points: 60,
  why: 'Valid by RFC 5321, never seen in an honest sign-up',
  examples: [{ email: 'root@[192.0.2.1]', mail: 'not asked', factors: 'ADDRESS_LITERAL 60, NO_REPLY 35' }],
  ofDomain: ({ kind }) =>
    kind === 'literal' ? 'The address uses an IP address instead of a domain' : undefined,
});
