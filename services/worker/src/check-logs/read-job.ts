import { decide } from '@verdict/admission/decide.js';
import { engineOfCheck } from '@verdict/admission/engine.js';
import { grantedChecks } from '@verdict/admission/granted-checks.js';
import {
  CHECK_LOG_VERSION,
  type CheckLogJob,
  CheckLogJobSchema,
  WAITING_VERSION,
  WaitingJobSchema,
} from '@verdict/contracts/check-log-job.js';
import { idPattern } from '@verdict/contracts/id-pattern.js';
import type { StepNote } from '@verdict/contracts/step-note.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import { type DeadLetter, deadLetterId } from '@verdict/queues/dead-letters.js';
import { Compile } from 'typebox/compile';
import { jobOfOneCheck } from './job-of-one-check.js';
import { judgeGranted } from './judge-granted.js';
import type { PendingCheck } from './pending-check.js';
import { type RulesOfNote, rulesKey } from './rules-of-note.js';
import { type Privacy, toCheckRow } from './to-check-row.js';

const schemas = {
  [CHECK_LOG_VERSION]: Compile(CheckLogJobSchema),
  [WAITING_VERSION]: Compile(WaitingJobSchema),
};
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
export const ownNote = (data: unknown): unknown => (data as { note?: unknown } | null)?.note;

/** Returns the checks of a job to persist: those that its note grants, as they were answered. */
export function readJob(
  job: DeliveredJob,
  note: StepNote,
  privacy: Privacy,
  rules: RulesOfNote = new Map(),
): ReadJob {
  const { data } = job;
  const problem = problemOf(data);
  if (problem !== null) return setAside(job, note, problem);
  const { verdicts, groups, engine } = data as CheckLogJob;
  const createdAt = formatCreatedAt(note.now);
  const checks: PendingCheck[] = [];
  for (const granted of grantedChecks({ groups }, note)) {
    const written = verdicts[granted.check.verdict];
    if (!written) return setAside(job, note, 'a check has no verdict');
    // Only a verdict of the release before has no decision yet.
    const verdict = decide(written);
    const judge = engineOfCheck(engine, granted.policies);
    if (!judge) return setAside(job, note, UNKNOWN_ENGINE(engine));
    const judging = rules.get(rulesKey(granted.group.account_id, granted.policies));
    checks.push({
      row: toCheckRow(
        { ...granted, ...judgeGranted(granted, verdict, judging, note.now, judge), verdict },
        createdAt,
        privacy,
      ),
      isTest: granted.isTest,
      job,
      alone: () => jobOfOneCheck(granted, verdict, note, engine),
    });
  }
  return { checks, setAside: null };
}

const UNKNOWN_ENGINE = (engine: number | undefined): string =>
  `engine ${engine} of the rules is not known to this worker: upgrade the workers, then queue it again`;

function problemOf(data: unknown): string | null {
  const version = (data as { v?: unknown } | null)?.v ?? null;
  const schema = schemas[version as keyof typeof schemas];
  if (!schema)
    return `version ${JSON.stringify(version)} of the job is not known to this worker: drain the queue with the release that wrote it`;
  if (schema.Check(data)) return null;
  const [first] = schema.Errors(data);
  return first ? `${first.instancePath} ${first.message}`.trim() : 'it does not read as a job';
}

/** The job as a dead letter, with its note as far as there is one: a release that can read both persists it. */
export function setAside(job: DeliveredJob, note: unknown, reason: string): ReadJob {
  const isVoid = (note as Partial<StepNote> | null)?.undone !== undefined;
  const payload = { ...(job.data as object | null), ...(!isVoid && { note }) };
  const letter: DeadLetter = {
    id: deadLetterId(job.batchId, payload),
    reason,
    logIds: logIdsOf(job.data),
    queuedAtMs: job.queuedAtMs,
    shard: job.shard,
    payload,
  };
  return { checks: [], setAside: letter };
}

/** Everything that looks like a log id: nothing else is known of an unreadable job. */
function logIdsOf(data: unknown): string[] {
  return [...new Set(JSON.stringify(data ?? null).match(LOG_ID))];
}
