import { parse } from 'tldts';

/** Log-odds from which an ending counts, as for the table that is shipped. */
const LINE = 2.6;
/** Fewer names than this prove nothing about an ending. */
const NAMES_MIN = 4;
const leftOut = /^(?:edu|ac|gov)\.|^(?:edu|gov|mil|email|ovh)$/;

/** The table of endings as it would have been made from these names, with the method of the one that is shipped. */
export function deriveEndings(disposable: Iterable<string>, genuine: Iterable<string>): Set<string> {
  const bad = countEndings(disposable);
  const good = countEndings(genuine);
  const odds = (counts: ReadonlyMap<string, number>, ending: string) =>
    ((counts.get(ending) ?? 0) + 0.5) / (sum(counts) + 1);
  return new Set(
    [...bad]
      .filter(([ending, names]) => names >= NAMES_MIN && !leftOut.test(ending))
      .filter(([ending]) => Math.log(odds(bad, ending) / odds(good, ending)) >= LINE)
      .map(([ending]) => ending),
  );
}

function countEndings(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const { domain, publicSuffix, isPrivate } = parse(name, { allowPrivateDomains: true });
    if (domain !== name || publicSuffix === null || isPrivate === true) continue;
    counts.set(publicSuffix, (counts.get(publicSuffix) ?? 0) + 1);
  }
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
