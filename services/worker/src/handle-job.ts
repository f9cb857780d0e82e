import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { mergeBatches } from './merge-batches.js';
import type { WorkerMetrics } from './metrics.js';
import type { PendingCheck } from './pending-check.js';
import { readJob } from './read-job.js';
import type { Privacy } from './to-check-row.js';

interface Dependencies {
  readonly write: (checks: readonly PendingCheck[]) => Promise<void>;
  readonly deadLetters: DeadLetters;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly privacy: Privacy;
  /** Jobs that can be in hand at once. */
  readonly jobsMax: number;
}

/** Two statements at a time keep Postgres busy while Node prepares the next; more only queue for the same rows. */
const LIMITS = { writersMax: 2, itemsMax: 1_000, lingerMs: 50 };

/** From a delivered job to rows: the job is done only when each of its records is persisted or set aside. */
export function createJobHandler({ write, deadLetters, metrics, log, privacy, jobsMax }: Dependencies) {
  const writeMerged = mergeBatches(write, { ...LIMITS, callersMax: jobsMax });
  return async (job: DeliveredJob): Promise<void> => {
    const { checks, setAside } = readJob(job, privacy);
    for (const letter of setAside) {
      await deadLetters.add(letter);
      metrics.deadLettered.inc();
      log.error(
        { jobId: job.id, logIds: letter.logIds, reason: letter.reason },
        'record set aside as a dead letter',
      );
    }
    if (checks.length === 0) return;
    await writeMerged(checks);
    metrics.rollupLagSeconds.observe(Math.max(0, Date.now() - job.queuedAtMs) / 1000);
  };
}
