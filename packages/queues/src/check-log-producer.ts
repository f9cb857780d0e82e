import { CHECK_LOG_JOB, CHECK_LOG_VERSION, type CheckLog } from '@verdict/contracts/check-log-job.js';
import { type ConnectionOptions, Queue } from 'bullmq';
import { CHECK_LOG_JOB_OPTIONS } from './check-log-job-options.js';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

export interface CheckLogProducer {
  /** Resolves once Redis has the whole batch: only then may its checks be answered. */
  add(checks: readonly CheckLog[]): Promise<void>;
  close(): Promise<void>;
}

interface ProducerOptions {
  readonly connection: ConnectionOptions;
  readonly shards: number;
  readonly onError: (error: Error) => void;
}

/**
 * One job carries one group commit: `addBulk` is a pipeline, not a transaction, and a job per check costs nine times
 * the CPU. A job is never given up: it is removed when it is done and stays when it failed.
 */
export function createCheckLogProducer({ connection, shards, onError }: ProducerOptions): CheckLogProducer {
  const queues = Array.from({ length: shards }, (_, shard) => {
    const queue = new Queue(CHECK_LOG_QUEUE, {
      connection,
      prefix: shardPrefix(shard),
      skipVersionCheck: true,
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: CHECK_LOG_JOB_OPTIONS,
    });
    queue.on('error', onError);
    return queue;
  });
  let next = 0;

  return {
    async add(checks) {
      next = (next + 1) % queues.length;
      await queues[next]?.add(CHECK_LOG_JOB, { v: CHECK_LOG_VERSION, checks });
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}
