import { checkNote, readNote, UnreadableNote } from '@verdict/admission/read-note.js';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { letNotesExpire, takeNotes } from '@verdict/redis-store/notes.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { WorkerMetrics } from '../metrics.js';
import type { PolicyRules } from '../policies/policy-rules.js';
import type { PendingCheck } from './pending-check.js';
import { ownNote, type ReadJob, readJob, setAside } from './read-job.js';
import { PolicyMissing, rulesOfNote } from './rules-of-note.js';
import type { Privacy } from './to-check-row.js';

interface Dependencies {
  readonly write: (checks: readonly PendingCheck[]) => Promise<void>;
  readonly redis: RedisConnection;
  readonly deadLetters: DeadLetters;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly privacy: Privacy;
  readonly policyRules: PolicyRules;
}

/**
 * From delivered jobs to rows: they are done only when each check that their notes grant is persisted or set aside.
 * Then the notes may go, and only then the jobs: dying in between repeats what changes nothing.
 */
export function createJobsHandler(dependencies: Dependencies) {
  const { write, redis, deadLetters, metrics, log, privacy, policyRules } = dependencies;
  return async (jobs: readonly DeliveredJob[]): Promise<void> => {
    const notes = await notesOf(redis, jobs);
    const checks: PendingCheck[] = [];
    for (const job of jobs) {
      const { checks: read, setAside: letter } = await readWith(job, notes.get(job), {
        privacy,
        policyRules,
      });
      for (const check of read) checks.push(check);
      if (!letter) continue;
      await deadLetters.add(letter);
      metrics.deadLettered.inc();
      const { logIds, reason } = letter;
      log.error({ batchId: job.batchId, logIds, reason }, 'job set aside as a dead letter');
    }
    if (checks.length > 0) await write(checks);
    await Promise.all(byShard(jobs).map(([shard, own]) => letNotesExpire(redis, shard, own.map(batchIdOf))));
    const now = Date.now();
    for (const { queuedAtMs } of jobs) {
      metrics.rollupLagSeconds.observe(Math.max(0, now - queuedAtMs) / 1000);
    }
  };
}

/** A job whose note cannot be read is set aside by itself: the others of its round are persisted. */
async function readWith(
  job: DeliveredJob,
  note: unknown,
  { privacy, policyRules }: Pick<Dependencies, 'privacy' | 'policyRules'>,
): Promise<ReadJob> {
  try {
    const read = typeof note === 'string' ? readNote(note) : checkNote(note);
    const { groups = [] } = (job.data ?? {}) as Partial<CheckLogJob>;
    return readJob(job, read, privacy, await rulesOfNote(policyRules, groups, read));
  } catch (error) {
    if (!(error instanceof UnreadableNote || error instanceof PolicyMissing)) throw error;
    return setAside(job, parsed(note), error.message);
  }
}

/** As an object where it is one, so that a later release finds it in the payload. */
function parsed(note: unknown): unknown {
  if (typeof note !== 'string') return note;
  try {
    return JSON.parse(note);
  } catch {
    return note;
  }
}

/** Notes as they are: the text of Redis, or what a job brings along. */
async function notesOf(
  redis: RedisConnection,
  jobs: readonly DeliveredJob[],
): Promise<Map<DeliveredJob, unknown>> {
  const notes = new Map<DeliveredJob, unknown>();
  const asked = jobs.filter((job) => {
    const own = ownNote(job.data);
    if (own !== undefined) notes.set(job, own);
    return own === undefined;
  });
  await Promise.all(
    byShard(asked).map(async ([shard, own]) => {
      const texts = await takeNotes(redis, shard, own.map(batchIdOf));
      for (const [i, job] of own.entries()) notes.set(job, texts[i]);
    }),
  );
  return notes;
}

const batchIdOf = ({ batchId }: DeliveredJob): string => batchId;

function byShard(jobs: readonly DeliveredJob[]): [number, DeliveredJob[]][] {
  const shards = new Map<number, DeliveredJob[]>();
  for (const job of jobs) {
    const own = shards.get(job.shard);
    if (own) own.push(job);
    else shards.set(job.shard, [job]);
  }
  return [...shards];
}
