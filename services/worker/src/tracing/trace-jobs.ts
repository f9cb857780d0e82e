import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import { CHECK_LOG_QUEUE } from '@verdict/queues/queue-names.js';
import { splitCarried } from '@verdict/telemetry/carried-traces.js';
import type { Step, Tracing } from '@verdict/telemetry/tracing.js';

type HandleJobs = (jobs: readonly DeliveredJob[]) => Promise<void>;

/** A step in the trace of each sampled check of a round, from its delivery until its rows are there. */
export function traceJobs(tracing: Tracing | null, handle: HandleJobs): HandleJobs {
  if (!tracing) return handle;
  return async (jobs) => {
    const steps = jobs.flatMap((job) => startSteps(tracing, job));
    try {
      await handle(jobs);
      for (const step of steps) step.end();
    } catch (error) {
      for (const step of steps) step.fail(error);
      throw error;
    }
  };
}

function startSteps(tracing: Tracing, { batchId, traces }: DeliveredJob): Step[] {
  const carried = splitCarried(traces);
  return carried.map((parent) =>
    tracing.start('consumer', `process ${CHECK_LOG_QUEUE}`, parent, {
      'messaging.system': 'bullmq',
      'messaging.destination.name': CHECK_LOG_QUEUE,
      'messaging.message.id': batchId,
      'verdict.sampled_in_batch': carried.length,
    }),
  );
}
