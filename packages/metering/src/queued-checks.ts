import { grantedChecks } from '@verdict/admission/granted-checks.js';
import { checkNote, readNote, UnreadableNote } from '@verdict/admission/read-note.js';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { StepNote } from '@verdict/contracts/step-note.js';
import { readJobData } from '@verdict/queues/read-job-data.js';
import { readNotes } from '@verdict/redis-store/notes.js';
import type { Metering } from './metering.js';

/**
 * Counted checks of an account by log id, each with the time of the step that granted it, in microseconds. Ids and not
 * sums, because a batch delivered twice or retried from the dead letters holds the same checks.
 */
export type CheckMoments = Map<string, number>;

/**
 * The checks of an account that these batches granted. The note of a batch completed meanwhile still names them;
 * without a note, its rows have been there for minutes.
 */
export async function queuedChecks(
  { redis }: Metering,
  accountId: string,
  shard: number,
  batchIds: readonly string[],
): Promise<CheckMoments> {
  const notes = await readNotes(redis, shard, batchIds);
  const jobs = await readJobData(redis, shard, batchIds);
  const moments: CheckMoments = new Map();
  for (const [i, data] of jobs.entries()) {
    const job = data as CheckLogJob | null;
    const note = job?.note ?? notes[i];
    if (job && note) addMoments(moments, accountId, job, note);
  }
  return moments;
}

/** Of a note that this release cannot read nothing is known: its checks count as lost until another release persists them. */
export function addMoments(
  moments: CheckMoments,
  accountId: string,
  job: Pick<CheckLogJob, 'groups'>,
  written: unknown,
): void {
  let note: StepNote;
  try {
    note = typeof written === 'string' ? readNote(written) : checkNote(written);
  } catch (error) {
    if (error instanceof UnreadableNote) return;
    throw error;
  }
  for (const { group, check, isTest } of grantedChecks(job, note)) {
    if (group.account_id === accountId && !isTest) moments.set(check.id, note.now);
  }
}
