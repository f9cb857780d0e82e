import { signal } from './signal.js';

export const nullMx = signal({
  code: 'NULL_MX',
  kind: 'hard',
  points: 85,
  why: 'The domain declares that it accepts no mail (RFC 7505)',
  examples: [{ email: 'user@example.com', mail: { kind: 'null_mx' }, factors: 'NULL_MX 85' }],
  ofDomain: ({ outcome }) =>
    outcome?.kind === 'null_mx' ? 'The domain refuses all email (null MX)' : undefined,
});
