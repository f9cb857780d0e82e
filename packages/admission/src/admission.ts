import type { GroupNote, StepNote } from '@verdict/contracts/step-note.js';
import type { Scope } from '@verdict/redis-store/credential-status.js';
import { shardOf } from '@verdict/redis-store/shards.js';
import {
  type Caller,
  type Idempotency,
  look,
  type StepGroup,
  type Subject,
} from '@verdict/redis-store/step.js';
import { createNaturalBatcher, type NaturalBatcher } from '@verdict/service-kit/natural-batcher.js';
import { LRUCache } from 'lru-cache';
import { readNote } from './read-note.js';
import type { AccountView, Outcome, Submission } from './submission.js';
import { StepUndone, type TakeOptions, takeStep } from './take-step.js';

/**
 * Asks without changing anything whether the caller may have this many checks now, and whether there is an answer to
 * replay.
 */
export interface Question {
  readonly caller: Caller;
  readonly count: number;
  readonly once: Idempotency | null;
  readonly from?: () => string;
  /** The scope that the key must have; a look without one accepts any key. */
  readonly scope?: Scope;
}

export interface Admission {
  /** True for a caller whose last step was granted: looking first would only cost a round trip. */
  isTrusted(caller: Caller): boolean;
  look(question: Question): Promise<Outcome & { readonly account?: AccountView }>;
  /** Grants, counts and logs, all of it or nothing. */
  take(submission: Submission): Promise<Outcome>;
  /** Resolves when nothing is queued or in flight. */
  drained(): Promise<void>;
}

export interface AdmissionOptions extends Omit<TakeOptions, 'placed'> {
  /** Brings an account into Redis that is not there. Throws when there is none. */
  readonly project: (accountId: string) => Promise<void>;
  /** Submissions in one transaction, at most, and how many may wait for one. */
  readonly batchMax: number;
  readonly waitingMax: number;
  /** How often each answer was given, looks included. */
  readonly onOutcome?: (state: Decided['state'], checks: number) => void;
  readonly onBatch?: (checks: number) => void;
  /** The traces that submissions belong to. */
  readonly carried?: (submissions: readonly Submission[]) => string | undefined;
}

/** Missing in Redis; or the key has allowed networks and the caller's IP is unknown. */
type Decided = Outcome | { readonly state: 'absent' } | { readonly state: 'ip_needed' };

const TRUSTED_MAX = 50_000;
/** Two transactions keep Redis busy while Node prepares the next; more would only make them smaller. */
const IN_FLIGHT_MAX = 2;
/** A larger submission gets its own transaction, so that no single check waits behind a thousand. */
const SHARED_CHECKS_MAX = 64;

const NO_SUBJECT: Subject = { address: '', domain: '', ip: '' };

/** Admits checks. Concurrent calls share one transaction per shard. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { store, project, batchMax, waitingMax, onOutcome, onBatch, carried } = options;
  const trusted = new LRUCache<string, true>({ max: TRUSTED_MAX });
  // Keys that once needed the caller's IP, so that it is sent for these only. Just a hint: the step decides.
  const placed = new LRUCache<string, true>({ max: TRUSTED_MAX });
  const taking = { ...options, placed };
  const limits = { batchMax, waitingMax, inFlightMax: () => IN_FLIGHT_MAX };

  const takers = perShard((shard) =>
    createNaturalBatcher<Submission, Decided>({
      ...limits,
      send: async (entries) => {
        const outcomes = await takeAll(
          shard,
          entries.map(({ item }) => item),
        );
        for (const [i, entry] of entries.entries()) entry.resolve(outcomes[i] as Decided);
      },
    }),
  );
  const lookers = perShard(() =>
    createNaturalBatcher<Question, Decided>({
      ...limits,
      send: async (entries) => {
        const note = readNote(
          await look(
            store,
            entries.map(({ item }) => toGroup(item, placed.has(item.caller.credential))),
          ),
        );
        for (const [i, entry] of entries.entries()) entry.resolve(outcomeOf(note, i));
      },
    }),
  );

  async function takeAll(shard: number, submissions: readonly Submission[]): Promise<Decided[]> {
    const { batchId } = submissions[0] ?? {};
    onBatch?.(submissions.reduce((sum, { checks }) => sum + checks.length, 0));
    const note = await takeStep(taking, { shard, submissions, batchId, traces: carried?.(submissions) });
    return submissions.map((_, i) => outcomeOf(note, i));
  }

  async function takeOne(submission: Submission): Promise<Decided> {
    const shard = shardOf(submission.caller.accountId, store.shards);
    const alone = submission.batchId !== undefined || submission.checks.length > SHARED_CHECKS_MAX;
    if (!alone) return takers(shard).submit(submission);
    const [outcome] = await takeAll(shard, [submission]);
    return outcome as Decided;
  }

  /**
   * An account missing in Redis may still exist, so it is projected and asked for again. The same goes for a key that
   * needs the caller's IP.
   */
  async function withAccount(
    { accountId, credential }: Caller,
    checks: number,
    ask: () => Promise<Decided>,
  ): Promise<Outcome> {
    let decided = await ask();
    if (decided.state === 'absent') {
      onOutcome?.(decided.state, checks);
      await project(accountId);
      decided = await ask();
    }
    if (decided.state === 'ip_needed') {
      onOutcome?.(decided.state, checks);
      placed.set(credential, true);
      decided = await ask();
    }
    // A batch of its own is answered from its note, however often it is sent: its id is spent, and nothing was counted.
    if (decided.state === 'absent' || decided.state === 'ip_needed') throw new StepUndone(decided.state);
    return decided;
  }

  return {
    // The owner of a stolen key may be granted what its thief is not, so keys with networks are never trusted.
    isTrusted: ({ credential }) => trusted.has(credential) && !placed.has(credential),
    look: (question) => {
      const shard = shardOf(question.caller.accountId, store.shards);
      return withAccount(question.caller, question.count, () => lookers(shard).submit(question));
    },
    async take(submission) {
      const { caller, checks } = submission;
      const outcome = await withAccount(caller, checks.length, () => takeOne(submission));
      onOutcome?.(outcome.state, checks.length);
      if (outcome.state !== 'granted') trusted.delete(caller.credential);
      else if (!trusted.has(caller.credential)) trusted.set(caller.credential, true);
      return outcome;
    },
    async drained() {
      await Promise.all([...takers.opened(), ...lookers.opened()].map((batcher) => batcher.drained()));
    },
  };
}

function perShard<Item, Result>(open: (shard: number) => NaturalBatcher<Item, Result>) {
  const opened = new Map<number, NaturalBatcher<Item, Result>>();
  const find = (shard: number): NaturalBatcher<Item, Result> => {
    const known = opened.get(shard) ?? open(shard);
    opened.set(shard, known);
    return known;
  };
  return Object.assign(find, { opened: () => [...opened.values()] });
}

const toGroup = ({ caller, count, once, from, scope }: Question, isPlaced: boolean): StepGroup => ({
  caller,
  subjects: Array.from({ length: count }, () => NO_SUBJECT),
  once,
  from: isPlaced ? (from?.() ?? '') : undefined,
  scope,
});

function outcomeOf(note: StepNote, position: number): Decided {
  const group = note.groups[position] as GroupNote;
  const { outcome: state, used = 0 } = group;
  switch (state) {
    case 'granted':
      return {
        state,
        account: viewOf(note, group.caller),
        used,
        nowMicros: note.now,
        matches: group.matches ?? [],
      };
    case 'quota':
    case 'key_quota':
    case 'rate':
    case 'remembered':
    case 'tests':
      return { state, account: viewOf(note, group.caller), used };
    case 'replay':
      return { state, record: group.record ?? '', account: viewOf(note, group.caller) };
    case 'forbidden':
      return { state, unknown: group.unknown ?? false };
    default:
      return { state };
  }
}

function viewOf(note: StepNote, position: number): AccountView {
  const view = note.callers[position];
  if (view?.state !== 'known') throw new Error('the step granted a check without a caller');
  const {
    plan,
    limit,
    rate,
    rate_left: rateLeft,
    rate_wait: rateWaitMicros,
    used,
    key_limit,
    key_used,
  } = view;
  const isTest = view.test === true;
  const seen = { plan, limit, rate, rateLeft, rateWaitMicros, used, isTest, nowMicros: note.now };
  return key_limit === undefined ? seen : { ...seen, key: { limit: key_limit, used: key_used ?? 0 } };
}
