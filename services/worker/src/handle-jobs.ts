import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { Logger } from '@verdict/service-kit/logger.js';
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
}

/** From delivered jobs to rows: they are done only when each of their records is persisted or set aside. */
export function createJobsHandler({ write, deadLetters, metrics, log, privacy }: Dependencies) {
  return async (jobs: readonly DeliveredJob[]): Promise<void> => {
    const checks: PendingCheck[] = [];
    for (const job of jobs) {
      const read = readJob(job, privacy);
      for (const check of read.checks) checks.push(check);
      for (const letter of read.setAside) {
        await deadLetters.add(letter);
        metrics.deadLettered.inc();
        log.error(
          { jobId: job.id, logIds: letter.logIds, reason: letter.reason },
          'record set aside as a dead letter',
        );
      }
    }
    if (checks.length === 0) return;
    await write(checks);
    const now = Date.now();
    for (const { queuedAtMs } of jobs) {
      metrics.rollupLagSeconds.observe(Math.max(0, now - queuedAtMs) / 1000);
    }
  };
}
