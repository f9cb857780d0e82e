import { type DisposableInput, mergeDisposable } from '@verdict/datasets/build/merge-disposable.js';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { createDomainTable, type DomainTable } from '@verdict/datasets/domain-table.js';

export type HandLists = Omit<DisposableInput, 'lists'>;

/** A web ranking that holds none of the names asked: whatever a real one would excuse is counted as harm here. */
export const emptyRanking: DomainTable = createDomainTable(Buffer.alloc(0));

/** The shipped data with other lists and endings, merged by the rules of the build. */
export function snapshotOfLists(
  shipped: DatasetSnapshot,
  hand: HandLists,
  {
    lists,
    freshlyCrawled,
    riskyEndings,
  }: Pick<DisposableInput, 'lists'> & Pick<DatasetSnapshot, 'freshlyCrawled' | 'riskyEndings'>,
): DatasetSnapshot {
  const { entries } = mergeDisposable({ ...hand, lists });
  const lines = [...entries].map(([name, { evidence }]) => `${name} ${evidence.toString(16)}\n`);
  return {
    ...shipped,
    disposable: createDomainTable(Buffer.from(lines.join(''))),
    operators: [],
    freshlyCrawled,
    riskyEndings,
    establishedSites: undefined,
  };
}
