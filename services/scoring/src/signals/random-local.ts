import { mailAt } from '../dns/mail-outcome.js';
import { looksRandom } from '../names/looks-random.js';
import { signal } from './signal.js';

export const randomLocal = signal({
  code: 'RANDOM_LOCAL',
  kind: 'soft',
  points: 10,
  why: 'Looks generated; low, because names in many languages look random to an English rule',
  examples: [
    { email: 'a8k2j9x7@acme-widgets.com', mail: mailAt('mx.acme-widgets.com'), factors: 'RANDOM_LOCAL 10' },
  ],
  ofMailbox: ({ role, name }) =>
    role === undefined && looksRandom(name) ? 'The mailbox name looks randomly generated' : undefined,
});
