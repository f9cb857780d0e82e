import { burstRules, SEEN_MAX } from '@verdict/domain/burst-rules.js';
import { BANDS } from '@verdict/domain/decision.js';
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

/** Text within the request, because the script needs it only for what was seen before. */
const TERMS = JSON.stringify({
  rules: burstRules.map(({ hours, from, points, besideDoubt }) => [hours, from, points, besideDoubt]),
  bands: BANDS,
});
const HOUR_MICROS = 3_600_000_000;
const HOUR_CHARS = 5;

interface Owner {
  readonly number: number;
  readonly names: string[];
  readonly members: string[];
}

/** Gathers the things of a batch by account, as the step reads them. */
export function createCountedThings(shards: number) {
  const owners = new Map<string, Owner>();
  return {
    add(accountId: string, checks: readonly Things[]): readonly (string | number)[] {
      const owner = owners.get(accountId) ?? { number: owners.size + 1, names: [], members: [] };
      owners.set(accountId, owner);
      const before = owner.names.length;
      let expected = '';
      let scores = '';
      for (const { score, isDoubtful, counts, names, members } of checks) {
        expected += counts;
        scores += `${String(score).padStart(3, '0')}${isDoubtful ? 1 : 0}`;
        for (const name of names) owner.names.push(name);
        for (const member of members) owner.members.push(member);
      }
      return [owner.number, before + 1, owner.names.length - before, expected, scores];
    },
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
      const ranges: number[][] = [];
      for (const owner of owners.values()) {
        const { length } = owner.names;
        ranges.push([before, length, new Set(owner.names).size === length ? 0 : 1]);
        before += length;
        names.push(...owner.names);
        values += owner.members.join(hour) + (length > 0 ? hour : '');
      }
      return {
        texts: [values, ...names],
        counting: { at, owners: ranges, max: SEEN_MAX, kinds: burstRules.length, hour, terms: TERMS },
      };
    },
  };
}
