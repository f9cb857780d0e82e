import { mailAt } from '../dns/mail-outcome.js';
import { signal } from './signal.js';

export const homograph = signal({
  code: 'HOMOGRAPH',
  kind: 'hard',
  points: 85,
  why: 'Letters that imitate a big provider or brand have no innocent use',
  examples: [
    {
      email: 'ivan@gmаil.com',
      mail: mailAt('mx.example-host.com'),
      factors: 'HOMOGRAPH 85',
      note: 'the а is Cyrillic',
    },
  ],
  ofDomain: ({ homograph: imitated }) =>
    imitated && `The domain uses look-alike characters to imitate ${imitated}`,
});
