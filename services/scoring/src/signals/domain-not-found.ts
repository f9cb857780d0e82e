import { signal } from './signal.js';

export const domainNotFound = signal({
  code: 'DOMAIN_NOT_FOUND',
  kind: 'hard',
  points: 85,
  why: 'No such domain, said by a resolver that has just proved it can be believed',
  examples: [
    { email: 'bob@nonexistent-zz9.com', mail: { kind: 'not_found' }, factors: 'DOMAIN_NOT_FOUND 85' },
  ],
  ofDomain: ({ outcome }) => (outcome?.kind === 'not_found' ? 'The domain does not exist' : undefined),
});
