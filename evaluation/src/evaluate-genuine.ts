import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { neverDisposable } from '@verdict/datasets/never-disposable.js';
import type { Share } from '@verdict/domain/share-of.js';
import { countShare } from './count-share.js';
import { cuts } from './cuts.js';
import { askPeers } from './evaluate-new-names.js';
import { isForMeasuring } from './genuine-names.js';
import { BLOCK, CHALLENGE, judgeNames } from './judge-names.js';
import { readLists } from './read-lists.js';
import { emptyRanking } from './snapshot-of-lists.js';

interface GenuineResult {
  readonly challenge_or_more: Share;
  readonly challenge_or_more_with_a_web_ranking_at_worst: Share;
  readonly block: Share;
  /** Names in one text: the file is read by people. */
  readonly blocked_names: string;
  readonly peers_refuse: Record<string, Share>;
}

const SHOWN_MAX = 40;

/** Harm: names that belong to somebody, by kind, judged with the data that is shipped. */
export async function evaluateGenuine(
  shipped: DatasetSnapshot,
  genuine: Record<string, readonly string[]>,
): Promise<Record<string, GenuineResult>> {
  const newest = readLists(cuts.at(-1)?.later ?? { curated: '', crawled: '', mailchecker: '' });
  const results: Record<string, GenuineResult> = {};
  const kinds = { 'well-known providers': neverDisposable, ...genuine };
  for (const [kind, all] of Object.entries(kinds)) {
    const names = kind === 'well-known providers' ? all : all.filter(isForMeasuring);
    const plain = judgeNames(names, shipped);
    const ranked = judgeNames(names, { ...shipped, establishedSites: emptyRanking });
    const blocked = plain.filter(({ score }) => score >= BLOCK);
    results[kind] = {
      challenge_or_more: countShare(plain, ({ score }) => score >= CHALLENGE),
      challenge_or_more_with_a_web_ranking_at_worst: countShare(ranked, ({ score }) => score >= CHALLENGE),
      block: countShare(plain, ({ score }) => score >= BLOCK),
      blocked_names: blocked
        .slice(0, SHOWN_MAX)
        .map(({ domain }) => domain)
        .join(' '),
      peers_refuse: await askPeers(names, newest),
    };
  }
  return results;
}
