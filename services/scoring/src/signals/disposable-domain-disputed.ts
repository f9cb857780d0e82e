import { isConfirmed } from '@verdict/datasets/evidence.js';
import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const disposableDomainDisputed = signal({
  code: 'DISPOSABLE_DOMAIN_DISPUTED',
  kind: 'hard',
  points: 60,
  why: 'On one list, but its mail is at a paid mailbox host',
  flag: 'disposable_email',
  examples: [
    {
      email: 'owner@artlocate.com',
      mail: mailAt('aspmx.l.google.com'),
      factors: 'DISPOSABLE_DOMAIN_DISPUTED 60',
    },
  ],
  ofDomain: ({ disposable, mailboxHost }) =>
    disposable !== undefined && !isConfirmed(disposable.evidence) && mailboxHost !== undefined
      ? `A single source calls the domain disposable, but its mail is hosted by ${mailboxHost}`
      : undefined,
});
