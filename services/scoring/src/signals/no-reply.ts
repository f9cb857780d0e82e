import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const noReply = signal({
  code: 'NO_REPLY',
  kind: 'soft',
  points: 35,
  why: 'Mail to it is not read, so the confirmation is not either',
  flag: 'no_reply',
  examples: [
    { email: 'no-reply@acme-widgets.com', mail: mailAt('mx.acme-widgets.com'), factors: 'NO_REPLY 35' },
    { email: 'jane@noreply.acme-widgets.com', mail: mailAt('mx.acme-widgets.com'), factors: 'NO_REPLY 35' },
  ],
  ofDomain: (facts) => (facts.noReply ? 'No-reply domain' : undefined),
  // Once, whoever says it.
  ofMailbox: ({ role, domain }) =>
    role === 'unattended' && !domain.noReply ? 'No-reply mailbox' : undefined,
});
