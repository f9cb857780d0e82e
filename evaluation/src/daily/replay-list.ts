import type { ListedSource } from '@verdict/datasets/sources/source.js';
import type { Guard } from './guard-source.js';
import type { Change } from './read-changes.js';

/** A list as the updater holds it at a moment, which can be taken forward to a later one. Moments are in milliseconds. */
export interface ReplayedList {
  readonly source: ListedSource;
  readonly names: ReadonlySet<string>;
  /** Names that the source itself saw of late. */
  readonly fresh: () => ReadonlySet<string>;
  /** When each name first stood in the list; those that it began with have no moment. */
  readonly firstSeen: ReadonlyMap<string, number | undefined>;
  /** The names the list adds until then and never held before: a name that comes back is not new. */
  newUntil(moment: number): string[];
  /** Updates once: takes in everything until then, unless the guard refuses it. */
  advanceTo(moment: number): void;
  /** Updates that the guard refused. */
  readonly refused: () => number;
}

export function replayList(source: ListedSource, changes: readonly Change[], refuses: Guard): ReplayedList {
  const names = new Set<string>();
  const firstSeen = new Map<string, number | undefined>();
  let fresh: ReadonlySet<string> = new Set();
  let next = 0;
  let waiting: Change[] = [];
  let refused = 0;
  const upTo = (moment: number) => {
    const end = changes.findIndex((change, index) => index >= next && change.at >= moment);
    return changes.slice(next, end === -1 ? changes.length : end);
  };
  return {
    source,
    names,
    firstSeen,
    fresh: () => fresh,
    refused: () => refused,
    newUntil(moment) {
      const coming = new Set<string>();
      for (const { added, removed } of upTo(moment)) {
        for (const name of removed) coming.delete(name);
        for (const name of added) coming.add(name);
      }
      return [...coming].filter((name) => !firstSeen.has(name));
    },
    advanceTo(moment) {
      for (const change of upTo(moment)) {
        for (const name of change.added)
          if (!firstSeen.has(name)) firstSeen.set(name, next === 0 ? undefined : change.at);
        waiting.push(change);
        next++;
      }
      const [first] = waiting;
      if (first === undefined) return;
      const namesBefore = names.size;
      const undo = apply(waiting, names);
      if (refuses({ names, namesBefore, waitedMs: moment - first.at })) {
        undo();
        refused++;
      } else {
        fresh = waiting.at(-1)?.fresh ?? fresh;
        waiting = [];
      }
    },
  };
}

function apply(changes: readonly Change[], names: Set<string>): () => void {
  const had = new Map<string, boolean>();
  const set = (name: string, present: boolean) => {
    if (!had.has(name)) had.set(name, names.has(name));
    if (present) names.add(name);
    else names.delete(name);
  };
  for (const { added, removed } of changes) {
    for (const name of removed) set(name, false);
    for (const name of added) set(name, true);
  }
  return () => {
    for (const [name, present] of had) set(name, present);
  };
}
