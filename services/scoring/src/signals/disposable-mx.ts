import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const disposableMx = signal({
  code: 'DISPOSABLE_MX',
  kind: 'hard',
  points: 85,
  why: 'Disposable domains rotate weekly, their mail servers do not',
  flag: 'disposable_email',
  examples: [
    {
      email: 'promo@brand-new-front.com',
      mail: mailAt('mail.wallywatts.com'),
      factors: 'DISPOSABLE_MX 85, ROLE_ACCOUNT 15',
    },
  ],
  ofDomain: ({ front }) =>
    front?.known === 'certain'
      ? `The mail of this domain is handled by a disposable service (${front.server})`
      : undefined,
});
