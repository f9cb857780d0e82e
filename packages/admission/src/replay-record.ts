import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { DecidedVerdict } from '@verdict/contracts/check-log-job.js';
import type { Datasets } from '@verdict/contracts/datasets.js';
import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { Idempotency } from '@verdict/redis-store/step.js';
import { decide } from './decide.js';
import { namedEngine } from './engine.js';
import { completeMatch, type WaitingMatch } from './read-note.js';
import { DICTIONARIES, MARK } from './replay-words.js';
import { readSeen } from './seen-of.js';

/**
 * The trace of a request with an Idempotency-Key, kept for a day. A retry sends the same body, so the record holds
 * only what the body does not say: the ids, the moment, the matches and the verdicts with their decisions. The answer is
 * made again from these, and is the same byte for byte.
 */
export interface Replay {
  readonly checks: readonly ReplayedCheck[];
  /** Only where the answer shows them. */
  readonly datasets?: Datasets | undefined;
  /** Of the IPs that were sent, where the answer says so. */
  readonly networks?: readonly (IpNetwork | null)[] | undefined;
  /** The key that asked, where rules may ask about it: another key of the account may repeat the request. */
  readonly key?: string | undefined;
}

export interface ReplayedCheck {
  readonly id: string;
  readonly canonical: string;
  readonly verdict: Verdict;
  /** Network of the IP as a text, where the policy may ask about it. */
  readonly network?: string | undefined;
}

const HASH_CHARS = 22;
const MICROS_CHARS = 16;
/** Enough to find the records of a person among those of a day. */
const PERSON_CHARS = 8;

export const hashIdempotencyKey = (text: string): string =>
  hash('sha256', text, 'base64url').slice(0, HASH_CHARS);

/** The idempotency part of a submission. `name` and `body` are hashes: see hashIdempotencyKey. */
export const toIdempotency = (
  name: string,
  body: string,
  { checks, datasets, networks, key }: Replay,
): Idempotency => {
  const verdicts = [...new Set(checks.map(({ verdict }) => verdict))];
  return {
    name,
    body,
    rest: pack({
      ids: checks.map(({ id }) => id),
      people: checks.map(({ canonical }) => personOf(canonical)),
      verdicts: verdicts.map(decide),
      at: checks.map(({ verdict }) => verdicts.indexOf(verdict)),
      ...(datasets && { datasets }),
      ...(networks && { networks }),
      ...(checks.some(({ network }) => network !== undefined) && {
        kinds: checks.map(({ network = null }) => network),
      }),
      ...(key !== undefined && { key }),
      ...namedEngine,
    }),
  };
};

/** Reads what the step wrote: the hash of the request, the moment, the matches, repetitions and versions of the policy behind tabs, and the rest behind a line feed. */
export function readRecord(record: string) {
  const { body, nowMicros, matches, seen, policies, kept } = split(record);
  return {
    /** Hash of the request that left it. */
    body,
    nowMicros,
    matches,
    seen,
    policies,
    ids: kept.ids,
    /** Null where the person behind the address was erased since. */
    verdicts: kept.at.map((position) => {
      const verdict = kept.verdicts[position];
      return verdict ? decide(verdict) : null;
    }),
    datasets: kept.datasets,
    networks: kept.networks,
    /** Undefined in records of the release before, and where no rule may ask. */
    key: kept.key,
    engine: kept.engine,
    networkTexts: kept.kinds?.map((text) => text ?? undefined),
  };
}

/** The record without what it says about these people, or null when it says nothing about them. */
export function redactRecord(record: string, canonicals: readonly string[]): string | null {
  const people = new Set(canonicals.map(personOf));
  const { head, matches, seen, policies, kept } = split(record);
  const erased = new Set([...kept.people.keys()].filter((i) => people.has(kept.people[i] ?? '')));
  if (erased.size === 0) return null;
  const at = kept.at.map((position, i) => (erased.has(i) ? -1 : position));
  const left = matches.filter((match) => !erased.has(match.at));
  const verdicts = kept.verdicts.map((verdict, position) => (at.includes(position) ? verdict : null));
  const names = kept.people.map((person, i) => (erased.has(i) ? '' : person));
  const unseen = seen.map((one, i) => (erased.has(i) ? { counts: one.counts.map(() => null) } : one));
  const networks = kept.networks?.map((network, i) => (erased.has(i) ? null : network));
  const kinds = kept.kinds?.map((kind, i) => (erased.has(i) ? null : kind));
  const repeated = textOf(unseen, '\t') || (policies === '' ? '' : '\t[]');
  const judged = policies === '' ? '' : `\t${policies}`;
  return `${head}${textOf(left, '')}${repeated}${judged}\n${pack({ ...kept, at, verdicts, people: names, ...(networks && { networks }), ...(kinds && { kinds }) })}`;
}

interface Kept {
  readonly ids: readonly string[];
  readonly people: readonly string[];
  /** Those of the release before lack the decision. */
  readonly verdicts: readonly (Verdict | DecidedVerdict | null)[];
  readonly at: readonly number[];
  readonly datasets?: Datasets;
  readonly networks?: readonly (IpNetwork | null)[];
  /** Networks as texts; records of the release before have the kind alone. */
  readonly kinds?: readonly (string | null)[];
  readonly key?: string;
  /** The rules' engine that judged; left out: the first. */
  readonly engine?: number;
}

function split(record: string) {
  const end = record.indexOf('\n');
  const start = HASH_CHARS + MICROS_CHARS;
  const [matches = '', seen = '', policies = ''] = record.slice(start, end).split('\t');
  return {
    head: record.slice(0, start),
    body: record.slice(0, HASH_CHARS),
    nowMicros: Number(record.slice(HASH_CHARS, start)),
    matches: (matches === '' ? [] : (JSON.parse(matches) as WaitingMatch[])).map(completeMatch),
    seen: readSeen(seen),
    policies,
    kept: unpack(record.slice(end + 1)),
  };
}

const textOf = (list: readonly object[], before: string): string =>
  list.length > 0 ? before + JSON.stringify(list) : '';

const personOf = (canonical: string): string => hash('sha256', canonical, 'base64url').slice(0, PERSON_CHARS);

const pack = (kept: Kept): string =>
  MARK +
  deflateRawSync(JSON.stringify(kept), {
    dictionary: DICTIONARIES[MARK],
    level: 9,
  }).toString('base64url');

function unpack(text: string): Kept {
  const dictionary = DICTIONARIES[text[0] ?? ''];
  if (!dictionary) throw new Error('the record was left by another release');
  return JSON.parse(
    inflateRawSync(Buffer.from(text.slice(1), 'base64url'), { dictionary }).toString(),
  ) as Kept;
}
