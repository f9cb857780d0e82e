import { signal } from './signal.js';

export const domainNotFound = signal({
  code: 'DOMAIN_NOT_FOUND',
  kind: 'hard',
  points: 85,
  why: 'The domain does not exist, and the resolver passed the canary',
  examples: [
    { email: 'bob@nonexistent-zz9.com', mail: { kind: 'not_found' }, factors: 'DOMAIN_NOT_FOUND 85' },
  ],
  ofDomain: ({ outcome }) => (outcome?.kind === 'not_found' ? 'The domain does not exist' : undefined),
});
