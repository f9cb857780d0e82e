import type { Scope } from '@verdict/redis-store/credential-status.js';
import { shardOf } from '@verdict/redis-store/shards.js';
import {
  type Caller,
  type Idempotency,
  look,
  type StepGroup,
  stepWithInsert,
} from '@verdict/redis-store/step.js';
import { createNaturalBatcher, type NaturalBatcher } from '@verdict/service-kit/natural-batcher.js';
import { createKnownCallers } from './known-callers.js';
import { meetInParts, SUBJECTS_MAX } from './meet-in-parts.js';
import { type Decided, outcomeOf } from './outcome-of.js';
import { readNote } from './read-note.js';
import type { AccountView, AwaitedSubmission, Outcome, Submission } from './submission.js';
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

export interface AdmissionOptions extends Omit<TakeOptions, 'known' | 'script'> {
  /** Brings an account into Redis that is not there. Throws when there is none. */
  readonly project: (accountId: string) => Promise<void>;
  /** Checks of small submissions in one transaction, at most, and how many submissions may wait for one. */
  readonly batchMax: number;
  readonly waitingMax: number;
  /** How often each answer was given, looks included. */
  readonly onOutcome?: (state: Decided['state'], checks: number) => void;
  readonly onBatch?: (checks: number) => void;
  /** The traces that submissions belong to. */
  readonly carried?: (submissions: readonly Submission[]) => string | undefined;
}

/** An account may change between two attempts, but not for ever. */
const ATTEMPTS_MAX = 4;
/** Two transactions keep Redis busy while Node prepares the next; more would only make them smaller. */
const IN_FLIGHT_MAX = 2;
/** A larger submission gets its own transaction, so that no single check waits behind a thousand. */
const SHARED_CHECKS_MAX = 64;

interface Asked {
  readonly caller: Caller;
  readonly checks: number;
  /** Whether the sender has the rules of these versions. */
  readonly isReady: (policies: string) => boolean;
}

/** Admits checks: batches concurrent submissions into one step per shard. */
export function createAdmission(options: AdmissionOptions) {
  const { store, project, batchMax, waitingMax, onOutcome, onBatch, carried, confirm } = options;
  const known = createKnownCallers();
  const counts = options.fingerprint !== undefined;
  const taking = { ...options, known, script: stepWithInsert(options.inserts.script) };
  const limits = { batchMax, waitingMax, inFlightMax: () => IN_FLIGHT_MAX };
  const hasLists = ({ credential }: Caller) => known.get(credential)?.hasLists === true;
  /** Checks with lists weigh so much that no more than SUBJECTS_MAX of them fit. */
  const listedWeight = Math.max(1, batchMax / SUBJECTS_MAX);

  const takers = perShard((shard) =>
    createNaturalBatcher<Submission, Decided>({
      ...limits,
      weightOf: ({ caller, checks }) => checks.length * (hasLists(caller) ? listedWeight : 1),
      send: async (entries) => {
        const outcomes = await takeAll(
          shard,
          entries.map(({ item }) => item),
        );
        for (let i = 0; i < entries.length; i++) entries[i]?.resolve(outcomes[i] as Decided);
      },
    }),
  );
  const lookers = perShard((shard) =>
    createNaturalBatcher<Question, Decided>({
      ...limits,
      send: async (entries) => {
        const groups = entries.map(({ item }) => toGroup(item));
        const note = readNote(await look(store, groups, counts));
        // A replay is an answer like the first one, so it waits for what the first one left.
        if (confirm && note.groups.some(({ outcome }) => outcome === 'replay'))
          await confirm.confirmAll(shard);
        for (const [i, entry] of entries.entries()) {
          const view = note.callers[note.groups[i]?.caller ?? -1];
          if (view?.state === 'known') known.learn(entry.item.caller.credential, view.needs, view.policies);
          entry.resolve(outcomeOf(note, i));
        }
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
    return takeAlone(shard, submission);
  }

  async function takeAlone(shard: number, submission: Submission): Promise<Decided> {
    const { caller, checks } = submission;
    const isSplit = checks.length > SUBJECTS_MAX && hasLists(caller);
    const met = isSplit ? await meetInParts({ store, project }, caller.accountId, checks) : undefined;
    const [outcome] = await takeAll(shard, [met ? { ...submission, met } : submission]);
    return outcome as Decided;
  }

  /** Asks again: with the account projected where Redis lost it, and with what the step says it needs. */
  async function askAgain(
    first: Decided,
    { caller, checks, isReady }: Asked,
    ask: () => Promise<Decided>,
  ): Promise<Outcome> {
    let decided = first;
    let isProjected = false;
    for (let attempt = 1; ; attempt++) {
      if (decided.state !== 'absent' && decided.state !== 'needs') return decided;
      onOutcome?.(decided.state, checks);
      // Nothing was counted.
      if (attempt === ATTEMPTS_MAX || (isProjected && decided.state === 'absent'))
        throw new StepUndone(decided.state);
      if (decided.state === 'absent') {
        await project(caller.accountId);
        isProjected = true;
      } else {
        known.learn(caller.credential, decided.needs, decided.policies);
        if (!isReady(decided.policies)) return decided;
      }
      decided = await ask();
    }
  }

  function noteGranted({ caller, checks, from }: Submission): void {
    onOutcome?.('granted', checks.length);
    known.granted(caller.credential, from);
  }

  /** The outcome of a submission whose first try was not granted. */
  async function takeAgain(submission: Submission, first: Decided): Promise<Outcome> {
    const { caller, checks, policies = '', pinned } = submission;
    const isReady = (wanted: string) => pinned !== undefined || wanted === '' || wanted === policies;
    const asked = { caller, checks: checks.length, isReady };
    const outcome = await askAgain(first, asked, () => takeOne(submission));
    if (outcome.state === 'granted') noteGranted(submission);
    else if (outcome.state !== 'needs') {
      onOutcome?.(outcome.state, checks.length);
      known.refused(caller.credential);
    }
    return outcome;
  }

  return {
    /** True where looking first would only cost a round trip. */
    isTrusted: ({ credential }: Caller, from?: () => string): boolean => known.isTrusted(credential, from),
    /** Versions of the account's policy as the last look or step told them; '' for none. */
    policiesOf: ({ credential }: Caller): string => known.get(credential)?.policies ?? '',
    async look(question: Question): Promise<Outcome & { readonly account?: AccountView }> {
      const shard = shardOf(question.caller.accountId, store.shards);
      const ask = () => lookers(shard).submit(question);
      const seen = await ask();
      if (seen.state !== 'absent') return seen;
      return askAgain(seen, { caller: question.caller, checks: question.count, isReady: () => false }, ask);
    },
    /** Grants, counts and logs, all of it or nothing. */
    async take(submission: Submission): Promise<Outcome> {
      const taken = await takeOne(submission);
      if (taken.state !== 'granted') return takeAgain(submission, taken);
      noteGranted(submission);
      return taken;
    },
    /** The same for a single check that takes its outcome by a call: granted on the first try, it costs no promise. */
    push(check: AwaitedSubmission): void {
      takers(shardOf(check.caller.accountId, store.shards)).push({
        item: check,
        settled: false,
        resolve(taken) {
          if (taken.state === 'granted') {
            noteGranted(check);
            check.taken(taken);
          } else {
            void takeAgain(check, taken).then(
              (outcome) => check.taken(outcome),
              (error: unknown) => check.notTaken(error),
            );
          }
        },
        reject: (error) => check.notTaken(error),
      });
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

const toGroup = ({ caller, count, once, from, scope }: Question): StepGroup => ({
  caller,
  count,
  once,
  from: from?.() ?? '',
  scope,
});
