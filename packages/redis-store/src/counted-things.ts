import { burstRules, SEEN_MAX } from '@verdict/domain/burst-rules.js';
import { seenKeys } from './keys.js';

/** The things of a check whose repetitions are counted, as keyed fingerprints, and the score that their points are added to. */
export interface Things {
  readonly score: number;
  readonly isDoubtful: boolean;
  /** A character for each of burstRules: 1 where the check has such a thing, a dash where it has none. */
  readonly counts: string;
  /** Of those that it has, 11 characters each. */
  readonly names: readonly string[];
  /** Seen with each of them now, 6 characters each. */
  readonly members: readonly string[];
}

const HOUR_MICROS = 3_600_000_000;
const HOUR_CHARS = 5;

/** A check without things, in a run. */
const NO_THINGS = `0000${'.'.repeat(burstRules.length)}`;

interface Owner {
  readonly number: number;
  readonly names: string[];
  readonly members: string[];
}

/** Gathers the things of a batch by account, as the step reads them. */
export function createCountedThings(shards: number) {
  const owners = new Map<string, Owner>();
  const ownerOf = (accountId: string): Owner => {
    const known = owners.get(accountId);
    if (known) return known;
    const owner = { number: owners.size + 1, names: [], members: [] };
    owners.set(accountId, owner);
    return owner;
  };
  const gather = (owner: Owner, { names, members }: Things): void => {
    for (let i = 0; i < names.length; i++) {
      owner.names.push(names[i] as string);
      owner.members.push(members[i] as string);
    }
  };
  return {
    /** The things of a group, as its JSON names them. */
    add(accountId: string, checks: readonly Things[]): readonly (string | number)[] {
      const owner = ownerOf(accountId);
      const before = owner.names.length;
      let expected = '';
      let scores = '';
      for (const things of checks) {
        expected += things.counts;
        scores += scoreText(things);
        gather(owner, things);
      }
      return [owner.number, before + 1, owner.names.length - before, expected, scores];
    },
    /** The things of one check, as a run names them. */
    addUsual(accountId: string, things: Things | undefined): string {
      if (!things) return NO_THINGS;
      gather(ownerOf(accountId), things);
      return scoreText(things) + things.counts;
    },
    numberOf: (accountId: string): number | undefined => owners.get(accountId)?.number,
    keys: () => [...owners.keys()].flatMap((accountId) => seenKeys(accountId, shards)),
    /** With the number of keys that come before these, and about what the clock of Redis shows. */
    request(at: number, nowMicros: number) {
      if (owners.size === 0) return { texts: [], counting: undefined };
      const hour = Math.floor(nowMicros / HOUR_MICROS)
        .toString(16)
        .padStart(HOUR_CHARS, '0');
      let before = 0;
      const names: string[] = [];
      let values = '';
      const ranges: (number | readonly string[])[][] = [];
      for (const owner of owners.values()) {
        const { length } = owner.names;
        ranges.push([before, length, twinsOf(owner.names)]);
        before += length;
        names.push(...owner.names);
        values += owner.members.join(hour) + (length > 0 ? hour : '');
      }
      return {
        texts: [values, ...names],
        counting: { at, owners: ranges, max: SEEN_MAX, hour },
      };
    },
  };
}

function twinsOf(names: readonly string[]): string[] {
  const once = new Set<string>();
  const twins = new Set<string>();
  for (const name of names) {
    if (once.has(name)) twins.add(name);
    else once.add(name);
  }
  return [...twins];
}

const scoreText = ({ score, isDoubtful }: Things): string =>
  `${String(score).padStart(3, '0')}${isDoubtful ? 1 : 0}`;
