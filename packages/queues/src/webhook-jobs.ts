import { WEBHOOK_JOB, type WebhookJob } from '@verdict/contracts/webhook-job.js';
import { type ConnectionOptions, type JobsOptions, Queue } from 'bullmq';
import { CAPPED_BACKOFF, WEBHOOK_PREFIX, WEBHOOK_QUEUE } from './queue-names.js';

export interface WebhookJobs {
  add(jobs: readonly WebhookJob[]): Promise<void>;
  close(): Promise<void>;
}

/** Retries are Postgres's business; a job comes back only when its outcome could not be written down. */
const OPTIONS: JobsOptions = {
  attempts: 1_000,
  backoff: { type: CAPPED_BACKOFF },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 3,
};

/** The job of an attempt is named after it: queued twice, it is there once. */
export function createWebhookJobs(
  connection: ConnectionOptions,
  onError: (error: Error) => void,
): WebhookJobs {
  const queue = new Queue<WebhookJob>(WEBHOOK_QUEUE, {
    connection,
    prefix: WEBHOOK_PREFIX,
    skipVersionCheck: true,
    streams: { events: { maxLen: 100 } },
  });
  queue.on('error', onError);
  return {
    async add(jobs) {
      await queue.addBulk(
        jobs.map((data) => ({
          name: WEBHOOK_JOB,
          data,
          opts: { ...OPTIONS, jobId: `${data.delivery_id}-${data.attempts}` },
        })),
      );
    },
    close: () => queue.close(),
  };
}
