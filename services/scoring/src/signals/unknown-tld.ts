import { unknownMail } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const unknownTld = signal({
  code: 'UNKNOWN_TLD',
  kind: 'soft',
  points: 35,
  why: 'Not a known top-level domain, and DNS gave no answer',
  examples: [
    {
      email: 'jane@acme.zzqq',
      mail: unknownMail('failure'),
      factors: 'UNKNOWN_TLD 35, DNS_INDETERMINATE 10',
    },
  ],
  // A suggestion says the same and more.
  ofDomain: ({ outcome, suffixExists, typo, homograph }) =>
    outcome?.kind === 'unknown' && !suffixExists && typo === undefined && homograph === undefined
      ? 'Unknown top-level domain'
      : undefined,
});
