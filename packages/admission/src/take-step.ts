import type { StepNote } from '@verdict/contracts/step-note.js';
import type { CheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { MixedCommand } from '@verdict/redis-store/mixed-command.js';
import { isSamePlace, placeOf } from '@verdict/redis-store/place-of.js';
import type { ReplicaWait } from '@verdict/redis-store/replica-wait.js';
import { isUnknownScript, type Script } from '@verdict/redis-store/script.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { type StepGroup, stepArguments } from '@verdict/redis-store/step.js';
import type { Fingerprint } from './create-fingerprints.js';
import type { KnownCaller } from './known-callers.js';
import { packBatch } from './pack-batch.js';
import { readNote } from './read-note.js';
import type { RedisClock } from './redis-clock.js';
import type { Submission } from './submission.js';
import { toSubject } from './to-subject.js';

/** Nothing was decided, counted or written, and it is known. */
export class StepUndone extends Error {
  override name = 'StepUndone';
}

export interface TakeOptions {
  /** The step with its insert (stepWithInsert). */
  readonly script: Script;
  /** A connection for the step alone: commands in flight when it breaks are sent again, and only the step may be. */
  readonly store: AccountStore;
  readonly inserts: CheckLogInserts;
  readonly clock: RedisClock;
  readonly createBatchId: () => string;
  /** Callers and the needs of their steps. */
  readonly known: { get(credential: string): KnownCaller | undefined };
  /** Names what of a check is counted; without it nothing is. */
  readonly fingerprint?: Fingerprint | undefined;
  /** Where an answer has to wait for replicas. */
  readonly confirm?: ReplicaWait | undefined;
}

export interface StepBatch {
  readonly shard: number;
  readonly submissions: readonly Submission[];
  /** The traces that its checks belong to. */
  readonly traces?: string | undefined;
  readonly batchId?: string | undefined;
}

const ATTEMPTS_MAX = 3;

/**
 * One script in one hash slot: our step, which inserts the job of what it grants and counts only if the job is there.
 * An error means that the outcome is unknown, unless it is StepUndone; either all of the step happened or none of it.
 */
export async function takeStep(options: TakeOptions, batch: StepBatch): Promise<StepNote> {
  const { clock, createBatchId } = options;
  let batchId = batch.batchId ?? createBatchId();
  let withSource = false;
  const place = placeOf(options.store.redis, batch.shard);
  for (let attempt = 1; ; attempt++) {
    const note = await run(options, batch, batchId, withSource);
    const isLast = attempt === ATTEMPTS_MAX;
    if (note === 'unknown script') {
      // Once more under the same id: that Redis knows no script now does not say that it knew none when it died with the reply.
      if (isLast) throw new Error('Redis does not know the script of the step');
      withSource = true;
      continue;
    }
    if (note.now > 0) clock.set(note.now);
    if (note.undone === undefined) return note;
    // A batch that was sent twice may have been counted the first time, and its note be gone since.
    if (note.undone === 'stale' && !isSamePlace(place, placeOf(options.store.redis, batch.shard))) {
      throw new Error('the batch was sent again too late to tell whether it was counted');
    }
    // A batch that is void was sent twice, and its job went by in between: that id is spent.
    const isSpent = batch.batchId !== undefined && note.undone === 'void';
    if (isLast || isSpent) throw new StepUndone(note.undone);
    batchId = batch.batchId ?? createBatchId();
  }
}

async function run(
  { script, store, inserts, clock, known, fingerprint, confirm }: TakeOptions,
  { shard, submissions, traces }: StepBatch,
  batchId: string,
  withSource: boolean,
): Promise<StepNote | 'unknown script'> {
  const bornMicros = submissions[0]?.bornMicros ?? clock.now();
  const queuedAtMs = Math.floor(bornMicros / 1_000);
  const insert = inserts.prepare({ shard, batchId, data: packBatch(submissions), queuedAtMs, traces });
  const groups = submissions.map((one) => {
    const { accountId, credential } = one.caller;
    const caller = known.get(credential);
    const things =
      fingerprint && caller?.counts ? one.checks.map((check) => fingerprint(accountId, check)) : undefined;
    return toGroup(one, caller, things);
  });
  const jobKey = inserts.jobKey(shard, batchId);
  const { keys, args } = stepArguments(store.shards, {
    shard,
    batchId,
    jobKey,
    bornMicros,
    groups,
    counts: fingerprint !== undefined,
    insert,
  });
  const send = () =>
    store.redis.sendCommand(
      new MixedCommand(withSource ? 'eval' : 'evalsha', [
        withSource ? script.source : script.sha,
        String(keys.length),
        ...keys,
        ...args,
      ]),
    ) as Promise<string>;
  try {
    return readNote(String(await (confirm ? confirm.confirm(shard, send) : send())));
  } catch (error) {
    if (isUnknownScript(error)) return 'unknown script';
    throw error;
  }
}

function toGroup(
  submission: Submission,
  known: KnownCaller | undefined,
  things: StepGroup['things'],
): StepGroup {
  const { caller, checks, once = null, from, policies, pinned, met } = submission;
  return {
    caller,
    count: checks.length,
    subjects: known?.hasLists && !met ? checks.map(toSubject) : undefined,
    met,
    things,
    policies,
    pinned,
    once,
    from: known?.isBound ? (from?.() ?? '') : undefined,
  };
}
