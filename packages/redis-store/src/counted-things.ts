import { burstRules, SEEN_MAX } from '@verdict/domain/burst-rules.js';
import { BANDS } from '@verdict/domain/decision.js';
import { seenKeys } from './keys.js';

/** Something whose repetitions are counted, and who was seen with it now, as keyed fingerprints. */
export interface Thing {
  readonly name: string;
  readonly member: string;
}

/** The things of a check by kind, in the order of burstRules, and the score that their points are added to. */
export interface Things {
  readonly score: number;
  readonly isDoubtful: boolean;
  readonly kinds: readonly (Thing | null)[];
}

/** Text within the request, because the script needs it only for what was seen before. */
const TERMS = JSON.stringify({
  rules: burstRules.map(({ hours, from, points, besideDoubt }) => [hours, from, points, besideDoubt]),
  bands: BANDS,
});
const NOBODY = ' '.repeat(6);
/** Names are arguments of the script behind its request, ARGV[1]. */
const FIRST_NAME = 2;

/** Gathers the things of a batch by account, as the step reads them. */
export function createCountedThings(shards: number) {
  const owners = new Map<string, { readonly number: number; readonly names: string[] }>();
  return {
    add(accountId: string, checks: readonly Things[]): readonly (string | number)[] {
      const owner = owners.get(accountId) ?? { number: owners.size + 1, names: [] };
      owners.set(accountId, owner);
      const first = owner.names.length + 1;
      const texts = checks.map(({ score, isDoubtful, kinds }) => {
        for (const thing of kinds) if (thing) owner.names.push(thing.name);
        const members = kinds.map((thing) => thing?.member ?? NOBODY);
        return `${String(score).padStart(3, '0')}${isDoubtful ? 1 : 0}${members.join('')}`;
      });
      return [owner.number, first, ...texts];
    },
    keys: () => [...owners.keys()].flatMap((accountId) => seenKeys(accountId, shards)),
    /** With the number of keys that come before these. */
    request(at: number) {
      if (owners.size === 0) return { names: [], counting: undefined };
      let next = FIRST_NAME;
      const ranges = [...owners.values()].map(({ names }) => {
        next += names.length;
        return [next - names.length, next - 1];
      });
      return {
        names: [...owners.values()].flatMap(({ names }) => names),
        counting: { at, owners: ranges, max: SEEN_MAX, kinds: burstRules.length, terms: TERMS },
      };
    },
  };
}
