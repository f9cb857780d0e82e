import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { Share } from '@verdict/domain/share-of.js';
import type { FactorCode } from '@verdict/scoring/signals/signals.js';
import { countShare } from './count-share.js';
import { cuts } from './cuts.js';
import { additions, buildCut } from './evaluate-new-names.js';
import { isForMeasuring } from './genuine-names.js';
import { type Judged, judgeNames } from './judge-names.js';
import { readLists } from './read-lists.js';
import { emptyRanking, type HandLists } from './snapshot-of-lists.js';

interface RuleResult {
  /** Of the names that lists added after the day of a cut, all cuts together. */
  readonly recall: Share;
  /** Of the genuine names of all kinds. */
  readonly false_positives: Share;
  /** Among as many new disposable names as genuine ones. */
  readonly precision: number;
}

const measured: readonly FactorCode[] = [
  'DISPOSABLE_DOMAIN',
  'DISPOSABLE_DOMAIN_SINGLE_SOURCE',
  'FREE_SUBDOMAIN',
  'RISKY_ENDING',
  'UNESTABLISHED_RISKY_ENDING',
];

/** Every rule that looks at nothing but the name, on all cuts together. */
export function evaluateRules(
  shipped: DatasetSnapshot,
  hand: HandLists,
  genuine: Record<string, readonly string[]>,
): Partial<Record<FactorCode, RuleResult>> {
  const names = [...new Set(Object.values(genuine).flat().filter(isForMeasuring))];
  const found: Judged[] = [];
  const foundRanked: Judged[] = [];
  for (const cut of cuts) {
    const { datasets, lists } = buildCut(cut, shipped, hand, genuine);
    const added = additions(lists, readLists(cut.later)).flatMap(([, each]) => each);
    found.push(...judgeNames(added, datasets));
    foundRanked.push(...judgeNames(added, { ...datasets, establishedSites: emptyRanking }));
  }
  const harmed = judgeNames(names, shipped);
  const harmedRanked = judgeNames(names, { ...shipped, establishedSites: emptyRanking });
  return Object.fromEntries(
    measured.map((code) => {
      const ranked = code === 'UNESTABLISHED_RISKY_ENDING';
      const recall = countShare(ranked ? foundRanked : found, ({ codes }) => codes.includes(code));
      const harm = countShare(ranked ? harmedRanked : harmed, ({ codes }) => codes.includes(code));
      const precision = Number((recall.share / (recall.share + harm.share)).toFixed(3));
      return [code, { recall, false_positives: harm, precision }];
    }),
  );
}
