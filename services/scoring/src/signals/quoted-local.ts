import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const quotedLocal = signal({
  code: 'QUOTED_LOCAL',
  kind: 'soft',
  points: 25,
  why: 'Valid, yet most mail software cannot send to it',
  examples: [
    { email: '"odd name"@acme-widgets.com', mail: mailAt('mx.acme-widgets.com'), factors: 'QUOTED_LOCAL 25' },
  ],
  ofMailbox: ({ address }) =>
    address.quoted ? 'The mailbox name is in quotes, which is unusual' : undefined,
});
