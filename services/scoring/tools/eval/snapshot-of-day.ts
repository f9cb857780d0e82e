import { type DisposableInput, mergeDisposable } from '@verdict/datasets/build/merge-disposable.js';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { createDomainTable, type DomainTable } from '@verdict/datasets/domain-table.js';
import { deriveEndings } from './derive-endings.js';
import type { DatedLists } from './read-lists.js';

const DAY_SECONDS = 86_400;
const FRESH_DAYS = 30;
const RECENT_DAYS = 540;

export type HandLists = Omit<DisposableInput, 'lists'>;

/** A web ranking that holds none of the names asked: whatever a real one would excuse is counted as harm here. */
export const emptyRanking: DomainTable = createDomainTable(Buffer.alloc(0));

/** The shipped data with the lists and the endings of an earlier day in place of its own. */
export function snapshotOfDay(
  shipped: DatasetSnapshot,
  lists: DatedLists,
  hand: HandLists,
  genuine: readonly string[],
  before: DatedLists,
): DatasetSnapshot {
  const crawled = new Map([...lists.crawled].map(([name, { provider }]) => [name, provider]));
  const { entries } = mergeDisposable({
    ...hand,
    lists: {
      curated: [...lists.curated],
      mailchecker: [...lists.mailchecker],
      aggregate: [...lists.aggregate],
      crawled,
    },
  });
  const lines = [...entries].map(([name, { evidence }]) => `${name} ${evidence.toString(16)}\n`);
  const seen = (days: number, field: 'firstseen' | 'lastseen') =>
    [...lists.crawled].filter(([, name]) => name[field] >= lists.crawledAt - days * DAY_SECONDS);
  const alreadyCurated = new Set(before.curated);
  const recent = [
    ...seen(RECENT_DAYS, 'firstseen').map(([name]) => name),
    ...lists.curated.filter((name) => !alreadyCurated.has(name)),
  ];
  return {
    ...shipped,
    disposable: createDomainTable(Buffer.from(lines.join(''))),
    operators: [],
    freshlyCrawled: new Set(seen(FRESH_DAYS, 'lastseen').map(([name]) => name)),
    riskyEndings: deriveEndings(recent, genuine),
    establishedSites: undefined,
  };
}
