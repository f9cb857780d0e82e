import { readNote } from '@verdict/admission/read-note.js';
import type { StepNote } from '@verdict/contracts/step-note.js';
import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { letNotesExpire, takeNotes } from '@verdict/redis-store/notes.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { WorkerMetrics } from '../metrics.js';
import type { PendingCheck } from './pending-check.js';
import { ownNote, readJob } from './read-job.js';
import type { Privacy } from './to-check-row.js';

interface Dependencies {
  readonly write: (checks: readonly PendingCheck[]) => Promise<void>;
  readonly redis: RedisConnection;
  readonly deadLetters: DeadLetters;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly privacy: Privacy;
}

/**
 * From delivered jobs to rows: they are done only when each check that their notes grant is persisted or set aside.
 * Then the notes may go, and only then the jobs: dying in between repeats what changes nothing.
 */
export function createJobsHandler(dependencies: Dependencies) {
  const { write, redis, deadLetters, metrics, log, privacy } = dependencies;
  return async (jobs: readonly DeliveredJob[]): Promise<void> => {
    const notes = await notesOf(redis, jobs);
    const checks: PendingCheck[] = [];
    for (const job of jobs) {
      const { checks: read, setAside } = readJob(job, notes.get(job) as StepNote, privacy);
      for (const check of read) checks.push(check);
      if (!setAside) continue;
      await deadLetters.add(setAside);
      metrics.deadLettered.inc();
      const { logIds, reason } = setAside;
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

async function notesOf(
  redis: RedisConnection,
  jobs: readonly DeliveredJob[],
): Promise<Map<DeliveredJob, StepNote>> {
  const notes = new Map<DeliveredJob, StepNote>();
  const asked = jobs.filter((job) => {
    const own = ownNote(job.data);
    if (own) notes.set(job, own);
    return !own;
  });
  await Promise.all(
    byShard(asked).map(async ([shard, own]) => {
      const texts = await takeNotes(redis, shard, own.map(batchIdOf));
      for (const [i, job] of own.entries()) notes.set(job, readNote(texts[i] as string));
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
