import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { Share } from '@verdict/domain/share-of.js';
import { type FactorCode, signals } from '@verdict/scoring/signals/signals.js';
import { countShare } from './count-share.js';
import { isForMeasuring } from './genuine-names.js';
import { judgeAddresses, judgeNames } from './judge-names.js';
import { personalNames } from './mailbox-names.js';

interface Hits {
  readonly persons: Share;
  readonly genuine_names: Share;
}

/** The share of honest addresses that each signal hits, so that a new one is measured without a line of code. */
export function evaluateHits(
  shipped: DatasetSnapshot,
  genuine: Record<string, readonly string[]>,
): Partial<Record<FactorCode, Hits>> {
  const persons = judgeAddresses(
    personalNames().map((name) => `${name}@acme-widgets.com`),
    shipped,
  );
  const names = judgeNames(Object.values(genuine).flat().filter(isForMeasuring), shipped);
  const hits = signals.map(({ code }): [FactorCode, Hits] => [
    code,
    {
      persons: countShare(persons, ({ codes }) => codes.includes(code)),
      genuine_names: countShare(names, ({ codes }) => codes.includes(code)),
    },
  ]);
  return Object.fromEntries(
    hits.filter(([, { persons, genuine_names }]) => persons.share + genuine_names.share > 0),
  );
}
