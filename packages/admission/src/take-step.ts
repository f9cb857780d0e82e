import type { StepNote } from '@verdict/contracts/step-note.js';
import { domainOfAddress } from '@verdict/domain/address/domain-of-address.js';
import type { CheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { noteKey } from '@verdict/redis-store/keys.js';
import { isUnknownScript } from '@verdict/redis-store/script.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { addStep, type StepGroup } from '@verdict/redis-store/step.js';
import { packBatch } from './pack-batch.js';
import { readNote } from './read-note.js';
import type { RedisClock } from './redis-clock.js';
import type { Submission } from './submission.js';

/** Nothing was decided, counted or written, and it is known. */
export class StepUndone extends Error {
  override name = 'StepUndone';
}

export interface TakeOptions {
  /** A separate connection: commands in flight when it breaks are sent again, and only the step may be. */
  readonly store: AccountStore;
  readonly inserts: CheckLogInserts;
  readonly clock: RedisClock;
  readonly createBatchId: () => string;
  /** Credentials of which the step wants to know where their caller is. */
  readonly placed: { has(credential: string): boolean };
  /** Runs a write to the node of a key, and resolves when it is as safe as it must be. */
  readonly confirm?: (<T>(key: string, write: () => Promise<T>) => Promise<T>) | undefined;
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
 * One transaction in one hash slot: BullMQ's insert of the job, then our script, which counts only if the job is there.
 * An error means that the outcome is unknown, unless it is StepUndone; either all of the step happened or none of it.
 */
export async function takeStep(options: TakeOptions, batch: StepBatch): Promise<StepNote> {
  const { clock, createBatchId } = options;
  let batchId = batch.batchId ?? createBatchId();
  let withSource = false;
  for (let attempt = 1; ; attempt++) {
    const note = await transact(options, batch, batchId, withSource);
    const isLast = attempt === ATTEMPTS_MAX;
    if (note === 'unknown script') {
      // Once more under the same id: that Redis knows no script now does not say that it knew none when it died with the reply.
      if (isLast) throw new Error('Redis does not know the scripts of the step');
      withSource = true;
      continue;
    }
    if (note.now > 0) clock.set(note.now);
    if (note.undone === undefined) return note;
    // A batch that is void was sent twice, and its job went by in between: that id is spent.
    const isSpent = batch.batchId !== undefined && note.undone === 'void';
    if (isLast || isSpent) throw new StepUndone(note.undone);
    batchId = batch.batchId ?? createBatchId();
  }
}

async function transact(
  { store, inserts, clock, placed, confirm }: TakeOptions,
  { shard, submissions, traces }: StepBatch,
  batchId: string,
  withSource: boolean,
): Promise<StepNote | 'unknown script'> {
  const bornMicros = submissions[0]?.bornMicros ?? clock.now();
  const run = () => {
    const transaction = store.redis.multi();
    const queuedAtMs = Math.floor(bornMicros / 1_000);
    inserts.add(
      transaction,
      { shard, batchId, data: packBatch(submissions), queuedAtMs, traces },
      withSource,
    );
    const groups = submissions.map((one) => toGroup(one, placed.has(one.caller.credential)));
    const jobKey = inserts.jobKey(shard, batchId);
    addStep(transaction, store.shards, { shard, batchId, jobKey, bornMicros, groups }, withSource);
    return transaction.exec();
  };
  const results = await (confirm ? confirm(noteKey(shard, batchId), run) : run());
  const [[insertError] = [new Error('no answer')], [stepError, text] = [new Error('no answer'), null]] =
    results ?? [];
  if (isUnknownScript(insertError) || isUnknownScript(stepError)) return 'unknown script';
  if (insertError ?? stepError) throw insertError ?? stepError;
  return readNote(String(text));
}

const toGroup = ({ caller, checks, once = null, from }: Submission, isPlaced: boolean): StepGroup => ({
  caller,
  subjects: checks.map(({ canonical, normalIp }) => ({
    address: canonical,
    domain: domainOfAddress(canonical),
    ip: normalIp,
  })),
  once,
  from: isPlaced ? (from?.() ?? '') : undefined,
});
