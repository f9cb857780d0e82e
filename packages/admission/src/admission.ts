import type { Scope } from '@verdict/redis-store/credential-status.js';
import { shardOf } from '@verdict/redis-store/shards.js';
import {
  type Caller,
  type Idempotency,
  insertThenStep,
  look,
  type StepGroup,
} from '@verdict/redis-store/step.js';
import { createNaturalBatcher, type NaturalBatcher } from '@verdict/service-kit/natural-batcher.js';
import { LRUCache } from 'lru-cache';
import { type Decided, isFinal, outcomeOf } from './outcome-of.js';
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

export type Admission = ReturnType<typeof createAdmission>;

export interface AdmissionOptions extends Omit<TakeOptions, 'placed' | 'listed' | 'tracking' | 'script'> {
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

/** `maxSize`, unlike `max`, takes their memory when it is needed and not at the start. */
const TRUSTED = { maxSize: 50_000, sizeCalculation: () => 1 };
/** Two transactions keep Redis busy while Node prepares the next; more would only make them smaller. */
const IN_FLIGHT_MAX = 2;
/** A larger submission gets its own transaction, so that no single check waits behind a thousand. */
const SHARED_CHECKS_MAX = 64;

/** Admits checks: batches concurrent submissions into one step per shard. */
export function createAdmission(options: AdmissionOptions) {
  const { store, project, batchMax, waitingMax, onOutcome, onBatch, carried, confirm } = options;
  const trusted = new LRUCache<string, true>(TRUSTED);
  // Keys that once asked where their caller is, and accounts that asked what to match with their lists or what to count, so
  // that other callers need not send it. Only hints: the step decides.
  const placed = new LRUCache<string, true>(TRUSTED);
  const listed = new LRUCache<string, true>(TRUSTED);
  const tracking = new LRUCache<string, true>(TRUSTED);
  const taking = { ...options, placed, listed, tracking, script: insertThenStep(options.inserts.script) };
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
  const lookers = perShard((shard) =>
    createNaturalBatcher<Question, Decided>({
      ...limits,
      send: async (entries) => {
        const note = readNote(
          await look(
            store,
            entries.map(({ item }) => toGroup(item, placed.has(item.caller.credential))),
          ),
        );
        // A replay is an answer like the first one, so it waits for what the first one left.
        if (confirm && note.groups.some(({ outcome }) => outcome === 'replay'))
          await confirm.confirmAll(shard);
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

  /** Returns the batcher's promise as it is: a check granted on the first try pays for no other. */
  function takeOne(submission: Submission): Promise<Decided> {
    const shard = shardOf(submission.caller.accountId, store.shards);
    const alone = submission.batchId !== undefined || submission.checks.length > SHARED_CHECKS_MAX;
    if (!alone) return takers(shard).submit(submission);
    return takeAll(shard, [submission]).then(([outcome]) => outcome as Decided);
  }

  /**
   * Projects an account that Redis lost and asks again. Asks again too when the step needs the caller's address or the
   * subjects for lists.
   */
  async function askAgain(
    first: Decided,
    { accountId, credential }: Caller,
    checks: number,
    ask: () => Promise<Decided>,
  ): Promise<Outcome> {
    let decided = first;
    const asked = new Set<string>();
    while (!isFinal(decided)) {
      const { state } = decided;
      // A submission with a batch id is answered from its note every time: the id is spent, and nothing was counted.
      if (asked.has(state)) throw new StepUndone(state);
      asked.add(state);
      onOutcome?.(state, checks);
      if (state === 'absent') await project(accountId);
      else if (state === 'ip_needed') placed.set(credential, true);
      else if (state === 'subjects_needed') listed.set(accountId, true);
      else tracking.set(accountId, true);
      decided = await ask();
    }
    return decided;
  }

  return {
    /** True for a caller whose last step was granted: looking first would only cost a round trip. */
    // The owner of a stolen key may be granted what its thief is not, so keys with networks are never trusted.
    isTrusted: ({ credential }: Caller) => trusted.has(credential) && !placed.has(credential),
    async look(question: Question): Promise<Outcome & { readonly account?: AccountView }> {
      const shard = shardOf(question.caller.accountId, store.shards);
      const ask = () => lookers(shard).submit(question);
      const seen = await ask();
      return isFinal(seen) ? seen : askAgain(seen, question.caller, question.count, ask);
    },
    /** Grants, counts and logs, all of it or nothing. */
    async take(submission: Submission) {
      const { caller, checks } = submission;
      const taken = await takeOne(submission);
      const outcome = isFinal(taken)
        ? taken
        : await askAgain(taken, caller, checks.length, () => takeOne(submission));
      onOutcome?.(outcome.state, checks.length);
      if (outcome.state !== 'granted') trusted.delete(caller.credential);
      else if (!trusted.has(caller.credential)) trusted.set(caller.credential, true);
      return outcome;
    },
    /** Resolves when nothing is queued or in flight. */
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
  count,
  once,
  from: isPlaced ? (from?.() ?? '') : undefined,
  scope,
});
