import { mailAt } from '../dns/mail-outcome.js';
import { findGivenAwaySuffix, isPaidSuffix } from '../names/special-names.js';
import type { Suffix } from '../score/read-domain.js';
import { signal } from './signal.js';

export const freeSubdomain = signal({
  code: 'FREE_SUBDOMAIN',
  kind: 'soft',
  points: 35,
  why: 'Anyone can get names under this suffix instantly and for free',
  examples: [
    {
      email: 'a8k2j9x7@free-thing.dynv6.net',
      mail: mailAt('mx.acme-widgets.com'),
      factors: 'FREE_SUBDOMAIN 35, RANDOM_LOCAL 10',
    },
  ],
  ofDomain({ domain, suffix, free, disposable }) {
    if (suffix === undefined || free || disposable !== undefined) return undefined;
    const given = findSuffixGivenAway(domain, suffix);
    return given && `The domain is a free sub-domain under ${given}`;
  },
});

function findSuffixGivenAway(domain: string, { isPrivate, publicSuffix }: Suffix): string | undefined {
  if (isPrivate !== true) return findGivenAwaySuffix(domain);
  return publicSuffix === null || publicSuffix === domain || isPaidSuffix(publicSuffix)
    ? undefined
    : publicSuffix;
}
