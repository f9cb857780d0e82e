import { burstRules, SEEN_MAX } from '@verdict/domain/burst-rules.js';
import { seenKeys } from './keys.js';
import { threeDigits } from './three-digits.js';

/** The things of a check whose repetitions are counted, as keyed fingerprints, and the score that their points are added to. */
export interface Things {
  readonly score: number;
  readonly isDoubtful: boolean;
  /** A character for each of burstRules: 1 where the check has such a thing, a dash where it has none. */
  readonly counts: string;
  /** One for each of burstRules, 11 characters; null where the check has none. */
  readonly names: readonly (string | null)[];
  /** Seen with its mailbox now, and with each of the others: 6 characters. */
  readonly spelling: string;
  readonly member: string;
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
  const gather = (owner: Owner, { names, spelling, member }: Things): void => {
    for (let kind = 0; kind < names.length; kind++) {
      const name = names[kind] ?? null;
      if (name === null) continue;
      owner.names.push(name);
      owner.members.push(kind === 0 ? spelling : member);
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

const scoreText = ({ score, isDoubtful }: Things): string => threeDigits(score) + (isDoubtful ? '1' : '0');
