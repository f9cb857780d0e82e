import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { Tier } from '@verdict/datasets/evidence.js';
import { type HandLists, snapshotOfLists } from '../snapshot-of-lists.js';
import type { ReplayedList } from './replay-list.js';

export interface Material {
  readonly shipped: DatasetSnapshot;
  readonly hand: HandLists;
  readonly lists: readonly ReplayedList[];
  /** Years old on every day: what an aggregate list certainly knew. */
  readonly oldAggregate: ReadonlySet<string>;
}

/**
 * The product with the current lists, for these names only: a verdict depends on the name and its parents, so nothing
 * else has to be merged for each day.
 */
export function snapshotForNames(
  asked: readonly string[],
  { shipped, hand, lists, oldAggregate }: Material,
  riskyEndings: ReadonlySet<string>,
): DatasetSnapshot {
  const names = [...new Set(asked.flatMap(selfAndParents))];
  const ofTier = (tier: Tier) =>
    lists
      .filter(({ source }) => source.tier === tier)
      .flatMap((list) => names.filter((name) => list.names.has(name)));
  return snapshotOfLists(shipped, hand, {
    lists: {
      curated: ofTier('curated'),
      crawled: new Map(ofTier('crawled').map((name) => [name, undefined])),
      aggregate: [...ofTier('aggregate'), ...names.filter((name) => oldAggregate.has(name))],
      mailchecker: ofTier('mailchecker'),
    },
    freshlyCrawled: new Set(lists.flatMap(({ fresh }) => names.filter((name) => fresh().has(name)))),
    riskyEndings,
  });
}

function selfAndParents(name: string): string[] {
  return name.split('.').map((_, index, labels) => labels.slice(index).join('.'));
}
