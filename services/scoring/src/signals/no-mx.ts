import { signal } from './signal.js';

export const noMx = signal({
  code: 'NO_MX',
  kind: 'hard',
  points: 80,
  why: 'No mail server, or only an address whose owner forbids mail (SPF -all)',
  examples: [{ email: 'jane@no-mail-here.org', mail: { kind: 'no_mail' }, factors: 'NO_MX 80' }],
  ofDomain: ({ outcome }) => (outcome?.kind === 'no_mail' ? 'The domain has no mail server' : undefined),
});
