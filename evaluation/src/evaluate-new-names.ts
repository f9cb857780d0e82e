import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { type Share, shareOf } from '@verdict/domain/share-of.js';
import { countShare } from './count-share.js';
import { type Cut, cuts } from './cuts.js';
import { isForMeasuring } from './genuine-names.js';
import { BLOCK, CHALLENGE, type Judged, judgeNames } from './judge-names.js';
import { peersOfDay } from './peers.js';
import { type DatedLists, readLists } from './read-lists.js';
import { snapshotOfDay } from './snapshot-of-day.js';
import { emptyRanking, type HandLists } from './snapshot-of-lists.js';

export interface SetResult {
  /** Which list added them after the day of the cut. */
  readonly added_by: 'curated' | 'crawler';
  readonly known_to_a_list_on_the_day: Share;
  readonly block: Share;
  readonly challenge: Share;
  readonly challenge_with_a_web_ranking: Share;
  /** The endings of today were made with names of these sets among others: what the product does, not a measurement. */
  readonly the_same_with_the_endings_of_today: Share;
  readonly names_no_list_knew: { readonly challenge: Share; readonly challenge_with_a_web_ranking: Share };
  readonly peers_refuse: Record<string, Share>;
}

export interface CutResult {
  readonly day: string;
  readonly until: string;
  readonly endings: string;
  readonly sets: readonly SetResult[];
}

interface CutData {
  readonly datasets: DatasetSnapshot;
  readonly lists: DatedLists;
}

/** Built from what was published by a day, asked about what was added afterwards. */
export async function evaluateNewNames(
  shipped: DatasetSnapshot,
  hand: HandLists,
  genuine: Record<string, readonly string[]>,
): Promise<CutResult[]> {
  const results: CutResult[] = [];
  for (const cut of cuts) {
    const { datasets, lists } = buildCut(cut, shipped, hand, genuine);
    const sets: SetResult[] = [];
    for (const [addedBy, names] of additions(lists, readLists(cut.later))) {
      if (names.length > 0)
        sets.push(
          await evaluateSet(addedBy, names, { datasets, lists, endingsOfToday: shipped.riskyEndings }),
        );
    }
    results.push({
      day: cut.day,
      until: cut.until,
      endings: [...datasets.riskyEndings].sort().join(' '),
      sets,
    });
  }
  return results;
}

export function buildCut(
  cut: Cut,
  shipped: DatasetSnapshot,
  hand: HandLists,
  genuine: Record<string, readonly string[]>,
): CutData {
  const lists = readLists(cut.known);
  const forTables = Object.values(genuine)
    .flat()
    .filter((name) => !isForMeasuring(name));
  const first = readLists(cuts[0]?.known ?? cut.known);
  return { datasets: snapshotOfDay(shipped, lists, hand, forTables, first), lists };
}

/** The crawler's additions only where its own list is newer than that of the day. */
export function additions(known: DatedLists, later: DatedLists): ['curated' | 'crawler', string[]][] {
  const curated = new Set(known.curated);
  return [
    ['curated', later.curated.filter((name) => !curated.has(name))],
    ['crawler', [...later.crawled.keys()].filter((name) => !known.crawled.has(name))],
  ];
}

async function evaluateSet(
  addedBy: SetResult['added_by'],
  names: readonly string[],
  { datasets, lists, endingsOfToday }: CutData & { endingsOfToday: ReadonlySet<string> },
): Promise<SetResult> {
  const plain = judgeNames(names, datasets);
  const ranked = judgeNames(names, { ...datasets, establishedSites: emptyRanking });
  const unlisted = (judged: readonly Judged[]) => judged.filter(({ listed }) => !listed);
  const challenged = ({ score }: Judged) => score >= CHALLENGE;
  return {
    added_by: addedBy,
    known_to_a_list_on_the_day: countShare(plain, ({ listed }) => listed),
    block: countShare(plain, ({ score }) => score >= BLOCK),
    challenge: countShare(plain, challenged),
    challenge_with_a_web_ranking: countShare(ranked, challenged),
    the_same_with_the_endings_of_today: countShare(
      judgeNames(names, { ...datasets, establishedSites: emptyRanking, riskyEndings: endingsOfToday }),
      challenged,
    ),
    names_no_list_knew: {
      challenge: countShare(unlisted(plain), challenged),
      challenge_with_a_web_ranking: countShare(unlisted(ranked), challenged),
    },
    peers_refuse: await askPeers(names, lists),
  };
}

export async function askPeers(names: readonly string[], lists: DatedLists): Promise<Record<string, Share>> {
  const shares: Record<string, Share> = {};
  for (const peer of peersOfDay(lists)) {
    let refused = 0;
    for (const name of names) if (await peer.refuses(name)) refused++;
    shares[peer.name] = shareOf(refused, names.length);
  }
  return shares;
}
