import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import { CHECK_LOG_QUEUE } from '@verdict/queues/queue-names.js';
import { splitCarried } from '@verdict/telemetry/carried-traces.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';

type HandleJob = (job: DeliveredJob) => Promise<void>;

/** A step in the trace of each sampled check of a job, from its delivery until its rows are there. */
export function traceJobs(tracing: Tracing | null, handle: HandleJob): HandleJob {
  if (!tracing) return handle;
  return async (job) => {
    const carried = splitCarried(job.traces);
    const steps = carried.map((parent) =>
      tracing.start('consumer', `process ${CHECK_LOG_QUEUE}`, parent, {
        'messaging.system': 'bullmq',
        'messaging.destination.name': CHECK_LOG_QUEUE,
        'messaging.message.id': job.id,
        'verdict.sampled_in_batch': carried.length,
      }),
    );
    try {
      await handle(job);
      for (const step of steps) step.end();
    } catch (error) {
      for (const step of steps) step.fail(error);
      throw error;
    }
  };
}
