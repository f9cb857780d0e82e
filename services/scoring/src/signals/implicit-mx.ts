import { signal } from './signal.js';

export const implicitMx = signal({
  code: 'IMPLICIT_MX',
  kind: 'hard',
  points: 35,
  why: 'Deliverable by RFC 5321 section 5.1, but rare for real mail domains',
  examples: [
    {
      email: 'admin@oldhost-only-a.org',
      mail: { kind: 'implicit_mx' },
      factors: 'IMPLICIT_MX 35, ROLE_ACCOUNT 15',
    },
  ],
  ofDomain: ({ outcome }) =>
    outcome?.kind === 'implicit_mx' ? 'The domain has no MX record, only an address record' : undefined,
});
