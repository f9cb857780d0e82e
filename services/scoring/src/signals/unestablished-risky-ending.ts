import { findRiskyEnding } from './risky-ending.js';
import { signal } from './signal.js';

export const unestablishedRiskyEnding = signal({
  code: 'UNESTABLISHED_RISKY_ENDING',
  kind: 'soft',
  points: 35,
  why: 'A risky ending and no known website; needs a web ranking',
  // No ranking is shipped; hand-lists.test.ts has one.
  examples: [],
  ofDomain(facts) {
    const { establishedSites } = facts.datasets;
    const site = facts.suffix?.domain;
    if (establishedSites === undefined || site == null || establishedSites.has(site)) return undefined;
    const ending = findRiskyEnding(facts);
    return (
      ending && `The ending .${ending} is often used for throw-away domains, and no known site is at this one`
    );
  },
});
