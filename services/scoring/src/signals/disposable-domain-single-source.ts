import { isConfirmed } from '@verdict/datasets/evidence.js';
import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const disposableDomainSingleSource = signal({
  code: 'DISPOSABLE_DOMAIN_SINGLE_SOURCE',
  kind: 'hard',
  points: 80,
  why: 'On one aggregate list only: just enough to block',
  flag: 'disposable_email',
  examples: [
    {
      email: 'owner@paragonmaps.net',
      mail: mailAt('mx.paragonmaps.net'),
      factors: 'DISPOSABLE_DOMAIN_SINGLE_SOURCE 80',
    },
  ],
  ofDomain: ({ disposable, mailboxHost }) =>
    disposable !== undefined && !isConfirmed(disposable.evidence) && mailboxHost === undefined
      ? 'Disposable email domain detected (single source)'
      : undefined,
});
