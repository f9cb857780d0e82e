import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const likelyTypo = signal({
  code: 'LIKELY_TYPO',
  kind: 'soft',
  points: 35,
  why: 'The confirmation would not arrive; asking costs one click',
  examples: [
    {
      email: 'li.na@gmil.com',
      mail: mailAt('mx.gmil.com'),
      factors: 'LIKELY_TYPO 35',
      note: 'only aggregate lists name it',
    },
    {
      email: 'maria@gmial.com',
      mail: mailAt('mx.gmial.com'),
      factors: 'LIKELY_TYPO 35',
      note: 'three lists name it, no crawler of late',
    },
  ],
  ofDomain: ({ typo }) => typo && `The domain looks mistyped: did you mean ${typo}?`,
});
