import { CHECK_LOG_JOB, type CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { type ConnectionOptions, type IRedisTransaction, type JobJson, Queue } from 'bullmq';
import { bullmqScript } from './bullmq-script.js';
import { CHECK_LOG_JOB_OPTIONS } from './check-log-job-options.js';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

export interface InsertedBatch {
  readonly shard: number;
  /** Names the job. Inserting it twice inserts it once, as long as it is there. */
  readonly batchId: string;
  readonly data: CheckLogJob;
  readonly queuedAtMs: number;
  /** Travels in the options that BullMQ keeps for this, not in the payload. */
  readonly traces: string | undefined;
}

/** Keys and arguments of BullMQ's script. */
export interface PreparedInsert {
  readonly keys: readonly string[];
  readonly args: readonly (string | Buffer)[];
}

export type CheckLogInserts = Awaited<ReturnType<typeof createCheckLogInserts>>;

interface Options {
  readonly connection: ConnectionOptions;
  readonly shards: number;
  readonly onError: (error: Error) => void;
}

/** The script that BullMQ inserts a job with that waits for nothing. */
const INSERT = 'addStandardJob';

/**
 * Inserts of check logs, each to be part of the step's script. BullMQ says with what it would run its own script, and the
 * step runs it: one command instead of a transaction of two.
 */
export async function createCheckLogInserts({ connection, shards, onError }: Options) {
  const queues = Array.from({ length: shards }, (_, shard) => {
    const queue = new Queue(CHECK_LOG_QUEUE, {
      connection,
      prefix: shardPrefix(shard),
      skipVersionCheck: true,
      streams: { events: { maxLen: 100 } },
    });
    queue.on('error', onError);
    return queue;
  });
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  const queueOf = (shard: number): Queue => queues[shard] as Queue;
  const [first] = queues as [Queue, ...Queue[]];
  const { lua: script, numberOfKeys } = await bullmqScript(first, INSERT);

  return {
    /** BullMQ's own script that inserts a job. */
    script,
    /** Where BullMQ keeps the job. */
    jobKey: (shard: number, batchId: string) => queueOf(shard).toKey(batchId),
    prepare({ shard, batchId, data, queuedAtMs, traces }: InsertedBatch) {
      let prepared: PreparedInsert | undefined;
      const runCommand = (name: string, values: (string | Buffer)[]) => {
        if (!name.startsWith(INSERT)) throw new Error(`BullMQ would insert with ${name}`);
        prepared = { keys: values.slice(0, numberOfKeys).map(String), args: values.slice(numberOfKeys) };
        return batchId;
      };
      const job: Partial<JobJson> = {
        name: CHECK_LOG_JOB,
        data: JSON.stringify(data),
        opts: traces === undefined ? CHECK_LOG_JOB_OPTIONS : withTraces(traces),
        timestamp: queuedAtMs,
      };
      // Forced by BullMQ: it types its transaction as a whole, and inserts a job with this method alone.
      const capture = { runCommand } as unknown as IRedisTransaction;
      // It runs up to its first await, and has told by then.
      void queueOf(shard)
        .getBackend()
        .addJobToTransaction(capture, job as JobJson, batchId);
      if (!prepared) throw new Error('BullMQ did not say how it inserts a job');
      return prepared;
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

const withTraces = (metadata: string) => ({ ...CHECK_LOG_JOB_OPTIONS, telemetry: { metadata } });
