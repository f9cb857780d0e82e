import { neverDisposable } from '@verdict/datasets/never-disposable.js';
import type { Share } from '@verdict/domain/share-of.js';
import { countShare } from '../count-share.js';
import { deriveEndings } from '../derive-endings.js';
import { isForMeasuring } from '../genuine-names.js';
import { BLOCK, CHALLENGE, type Judged, judgeNames } from '../judge-names.js';
import { emptyRanking } from '../snapshot-of-lists.js';
import type { Window } from './half-years.js';
import type { ReplayedList } from './replay-list.js';
import { type Material, snapshotForNames } from './snapshot-for-names.js';

export interface WindowResult {
  readonly from: string;
  readonly until: string;
  /** Derived from what was known when it began. */
  readonly endings: string;
  readonly sets: readonly SetResult[];
  /** With the lists as they stood at its end. */
  readonly genuine_names: {
    readonly challenge: Share;
    readonly challenge_with_a_web_ranking_at_worst: Share;
    readonly well_known_providers_blocked: number;
  };
}

interface SetResult {
  readonly added_by: string;
  readonly known_to_a_list: Share;
  readonly block: Share;
  readonly challenge: Share;
  readonly challenge_with_a_web_ranking: Share;
  readonly names_no_list_knew: { readonly challenge: Share; readonly challenge_with_a_web_ranking: Share };
}

interface Answer {
  readonly plain: Judged;
  readonly ranked: Judged;
}

const HOUR = 3_600_000;
/** How long a name counts as young when endings are derived. */
const RECENT = 540 * 24 * HOUR;
const challenged = ({ score }: Judged) => score >= CHALLENGE;

/**
 * For every name that a list added between two updates: what the product said with all lists as they stood at the first of
 * them, which is what a replica has.
 */
export function evaluateWindows(
  windows: readonly Window[],
  hoursBetweenUpdates: number,
  tested: readonly ReplayedList[],
  material: Material,
  genuine: readonly string[],
): WindowResult[] {
  const forTables = genuine.filter((name) => !isForMeasuring(name));
  return windows.map(({ from, until }) => {
    for (const list of material.lists) list.advanceTo(from);
    const endings = deriveEndings(
      tested.flatMap((list) => seenSince(list, from - RECENT)),
      forTables,
    );
    const answers = new Map(tested.map((list) => [list, [] as Answer[]]));
    for (let update = from; update < until; update += hoursBetweenUpdates * HOUR) {
      const next = Math.min(update + hoursBetweenUpdates * HOUR, until);
      for (const [list, given] of answers) given.push(...askAbout(list.newUntil(next), material, endings));
      for (const list of material.lists) list.advanceTo(next);
    }
    return {
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
      endings: [...endings].sort().join(' '),
      sets: [...answers].map(([{ source }, given]) => sumUp(source.name, given)),
      genuine_names: askAboutGenuine(genuine, material, endings),
    };
  });
}

function seenSince({ firstSeen }: ReplayedList, moment: number): string[] {
  return [...firstSeen].flatMap(([name, seen]) => (seen !== undefined && seen >= moment ? [name] : []));
}

function askAbout(names: readonly string[], material: Material, endings: ReadonlySet<string>): Answer[] {
  if (names.length === 0) return [];
  const datasets = snapshotForNames(names, material, endings);
  const ranked = judgeNames(names, { ...datasets, establishedSites: emptyRanking });
  return judgeNames(names, datasets).map((plain, index) => ({ plain, ranked: ranked[index] ?? plain }));
}

function sumUp(addedBy: string, answers: readonly Answer[]): SetResult {
  const shares = (some: readonly Answer[]) => ({
    challenge: countShare(some, ({ plain }) => challenged(plain)),
    challenge_with_a_web_ranking: countShare(some, ({ ranked }) => challenged(ranked)),
  });
  return {
    added_by: addedBy,
    known_to_a_list: countShare(answers, ({ plain }) => plain.listed),
    block: countShare(answers, ({ plain }) => plain.score >= BLOCK),
    ...shares(answers),
    names_no_list_knew: shares(answers.filter(({ plain }) => !plain.listed)),
  };
}

function askAboutGenuine(
  genuine: readonly string[],
  material: Material,
  endings: ReadonlySet<string>,
): WindowResult['genuine_names'] {
  const names = genuine.filter(isForMeasuring);
  const datasets = snapshotForNames([...names, ...neverDisposable], material, endings);
  return {
    challenge: countShare(judgeNames(names, datasets), challenged),
    challenge_with_a_web_ranking_at_worst: countShare(
      judgeNames(names, { ...datasets, establishedSites: emptyRanking }),
      challenged,
    ),
    well_known_providers_blocked: judgeNames(neverDisposable, datasets).filter(({ score }) => score >= BLOCK)
      .length,
  };
}
