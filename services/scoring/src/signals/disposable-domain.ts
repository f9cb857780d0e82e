import { isConfirmed } from '@verdict/datasets/evidence.js';
import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

const DETECTED = 'Disposable email domain detected';

export const disposableDomain = signal({
  code: 'DISPOSABLE_DOMAIN',
  kind: 'hard',
  points: 90,
  why: 'On a curated or crawled list, or on two independent ones',
  flag: 'disposable_email',
  examples: [
    {
      email: 'test@mailinator.com',
      mail: mailAt('mail.mailinator.com'),
      factors: 'DISPOSABLE_DOMAIN 90',
      note: 'operated by mailinator.com',
    },
    {
      email: 'x@sub.yopmail.com',
      mail: mailAt('smtp.yopmail.com'),
      factors: 'DISPOSABLE_DOMAIN 90',
      note: 'operated by yopmail.com',
    },
    {
      email: 'joe@museumpi.com',
      mail: mailAt('mx.museumpi.com'),
      factors: 'DISPOSABLE_DOMAIN 90',
      note: 'crawled only; operated by temporary-email.org',
    },
  ],
  ofDomain({ disposable, datasets }) {
    if (disposable === undefined || !isConfirmed(disposable.evidence)) return undefined;
    const operator = datasets.operators[disposable.operator];
    return operator === undefined ? DETECTED : `${DETECTED} (operated by ${operator})`;
  },
});
