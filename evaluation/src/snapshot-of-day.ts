import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { deriveEndings } from './derive-endings.js';
import type { DatedLists } from './read-lists.js';
import { type HandLists, snapshotOfLists } from './snapshot-of-lists.js';

const DAY_SECONDS = 86_400;
const FRESH_DAYS = 30;
const RECENT_DAYS = 540;

/** The shipped data with the lists and endings of an earlier day. */
export function snapshotOfDay(
  shipped: DatasetSnapshot,
  lists: DatedLists,
  hand: HandLists,
  genuine: readonly string[],
  before: DatedLists,
): DatasetSnapshot {
  const seen = (days: number, field: 'firstseen' | 'lastseen') =>
    [...lists.crawled].filter(([, name]) => name[field] >= lists.crawledAt - days * DAY_SECONDS);
  const alreadyCurated = new Set(before.curated);
  const recent = [
    ...seen(RECENT_DAYS, 'firstseen').map(([name]) => name),
    ...lists.curated.filter((name) => !alreadyCurated.has(name)),
  ];
  return snapshotOfLists(shipped, hand, {
    lists: {
      curated: [...lists.curated],
      mailchecker: [...lists.mailchecker],
      aggregate: [...lists.aggregate],
      crawled: new Map([...lists.crawled].map(([name, { provider }]) => [name, provider])),
    },
    freshlyCrawled: new Set(seen(FRESH_DAYS, 'lastseen').map(([name]) => name)),
    riskyEndings: deriveEndings(recent, genuine),
  });
}
