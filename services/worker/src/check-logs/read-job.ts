import { grantedChecks } from '@verdict/admission/granted-checks.js';
import { judge } from '@verdict/admission/judge.js';
import { CHECK_LOG_VERSION, type CheckLogJob, CheckLogJobSchema } from '@verdict/contracts/check-log-job.js';
import { idPattern } from '@verdict/contracts/id-pattern.js';
import type { StepNote } from '@verdict/contracts/step-note.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import { type DeadLetter, deadLetterId } from '@verdict/queues/dead-letters.js';
import { Compile } from 'typebox/compile';
import { aloneIn } from './alone-in.js';
import type { PendingCheck } from './pending-check.js';
import { type Privacy, toCheckRow } from './to-check-row.js';

const checkLogJob = Compile(CheckLogJobSchema);
const LOG_ID = new RegExp(`(?<=")${idPattern('log')}(?=")`, 'g');

export interface ReadJob {
  readonly checks: PendingCheck[];
  /** The job as a whole, when it cannot be read. */
  readonly setAside: DeadLetter | null;
}

/** How many checks a job holds; one that cannot be read is one to set aside. */
export function countChecks(data: unknown): number {
  const groups = (data as { groups?: unknown } | null)?.groups;
  if (!Array.isArray(groups)) return 1;
  return groups.reduce(
    (sum: number, group: { checks?: unknown[] } | null) => sum + (group?.checks?.length ?? 1),
    0,
  );
}

/** The note that a job brings along: one that an operator queued again does. */
export const ownNote = (data: unknown): StepNote | undefined => (data as Partial<CheckLogJob> | null)?.note;

/** What of a job is to be persisted: the checks that its note grants. */
export function readJob(job: DeliveredJob, note: StepNote, privacy: Privacy): ReadJob {
  const { data } = job;
  const problem = problemOf(data);
  if (problem !== null) return { checks: [], setAside: unreadable(job, note, problem) };
  const { verdicts, groups } = data as CheckLogJob;
  const createdAt = formatCreatedAt(note.now);
  const checks: PendingCheck[] = [];
  for (const granted of grantedChecks({ groups }, note)) {
    const verdict = verdicts[granted.check.verdict];
    if (!verdict) return { checks: [], setAside: unreadable(job, note, 'a check has no verdict') };
    const judged = { ...granted, judgement: judge(verdict, granted.match), datasets: verdict.datasets };
    checks.push({
      row: toCheckRow(judged, createdAt, privacy),
      isTest: granted.isTest,
      job,
      alone: () => aloneIn(granted, verdict, note),
    });
  }
  return { checks, setAside: null };
}

function problemOf(data: unknown): string | null {
  const version = (data as { v?: unknown } | null)?.v ?? null;
  if (version !== CHECK_LOG_VERSION)
    return `version ${JSON.stringify(version)} of the job is not known to this worker: drain the queue with the release that wrote it`;
  if (checkLogJob.Check(data)) return null;
  const [first] = checkLogJob.Errors(data);
  return first ? `${first.instancePath} ${first.message}`.trim() : 'it does not read as a job';
}

function unreadable(job: DeliveredJob, note: StepNote, reason: string): DeadLetter {
  const payload = { ...(job.data as object | null), ...(note.undone === undefined && { note }) };
  return {
    id: deadLetterId(job.batchId, payload),
    reason,
    logIds: logIdsOf(job.data),
    queuedAtMs: job.queuedAtMs,
    shard: job.shard,
    payload,
  };
}

/** Whatever looks like a log id, wherever it stands: nothing else is known of what cannot be read. */
function logIdsOf(data: unknown): string[] {
  return [...new Set(JSON.stringify(data ?? null).match(LOG_ID))];
}
