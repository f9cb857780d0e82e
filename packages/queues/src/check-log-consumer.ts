import { type ConnectionOptions, Worker } from 'bullmq';
import { cappedBackoff } from './capped-backoff.js';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

/** A job as it was delivered: its data comes from another process and is believed only after it was checked. */
export interface DeliveredJob {
  /** Unique among all shards, and the same when the job is delivered again. */
  readonly id: string;
  readonly data: unknown;
  readonly queuedAtMs: number;
  /** The traces that its checks belong to, when the producer records any. */
  readonly traces: string | undefined;
}

export interface CheckLogConsumer {
  /** Jobs that were finished since the start: a watchdog's pulse. */
  finished(): number;
  /** Takes no new jobs and waits for those in hand. */
  close(): Promise<void>;
}

interface ConsumerOptions {
  readonly connection: ConnectionOptions;
  readonly shards: number;
  readonly concurrency: number;
  readonly handle: (job: DeliveredJob) => Promise<void>;
  readonly onError: (error: Error) => void;
  /** A job came back to the queue, to be tried again. */
  readonly onRetry: (jobId: string | undefined, error: Error) => void;
}

/**
 * Takes check logs from every shard. A worker that is killed gives its jobs back after lockDuration, not after BullMQ's
 * default minute, and however often that happens a job is never failed for it.
 */
export function createCheckLogConsumer(options: ConsumerOptions): CheckLogConsumer {
  const { connection, shards, concurrency, handle, onError, onRetry } = options;
  let finished = 0;
  const workers = Array.from({ length: shards }, (_, shard) => {
    const worker = new Worker(
      CHECK_LOG_QUEUE,
      async (job) => {
        await handle({
          id: `${shard}-${job.id}`,
          data: job.data,
          queuedAtMs: job.timestamp,
          traces: job.opts.telemetry?.metadata,
        });
        finished += 1;
      },
      {
        connection,
        prefix: shardPrefix(shard),
        skipVersionCheck: true,
        concurrency,
        lockDuration: 10_000,
        stalledInterval: 5_000,
        maxStalledCount: 1_000_000,
        drainDelay: 1,
        settings: { backoffStrategy: (attemptsMade) => cappedBackoff(attemptsMade, Math.random) },
      },
    );
    worker.on('error', onError);
    worker.on('failed', (job, error) => onRetry(job?.id, error));
    return worker;
  });

  return {
    finished: () => finished,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}
