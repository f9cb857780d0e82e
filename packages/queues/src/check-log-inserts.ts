import { CHECK_LOG_JOB, type CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { type ConnectionOptions, type IRedisTransaction, type JobJson, Queue } from 'bullmq';
import type { ChainableCommander } from 'ioredis';
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

export interface CheckLogInserts {
  /** Where BullMQ keeps the job. */
  jobKey(shard: number, batchId: string): string;
  /** Adds BullMQ's own insert to a transaction. With its source where the server may not know the script. */
  add(transaction: ChainableCommander, batch: InsertedBatch, withSource: boolean): void;
  close(): Promise<void>;
}

interface Options {
  readonly connection: ConnectionOptions;
  readonly shards: number;
  readonly onError: (error: Error) => void;
}

interface Script {
  readonly lua: string;
  readonly sha: string;
  readonly numberOfKeys: number;
}

/**
 * Inserts of check logs, each to be part of a transaction. BullMQ says what it would run and with what; it is run here
 * by its hash, because ioredis copies every script that BullMQ ever defined into each transaction (64 of them: 130 us
 * where 20 are enough) and, inside one, does not notice that a server has forgotten a script.
 */
export async function createCheckLogInserts({
  connection,
  shards,
  onError,
}: Options): Promise<CheckLogInserts> {
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
  const { scriptsSet } = (await first.getBackend().client) as unknown as {
    scriptsSet: Record<string, Script>;
  };

  return {
    jobKey: (shard, batchId) => queueOf(shard).toKey(batchId),
    add(transaction, { shard, batchId, data, queuedAtMs, traces }, withSource) {
      const runCommand = (name: string, args: (string | Buffer)[]) => {
        const { lua, sha, numberOfKeys } = scriptsSet[name] as Script;
        if (withSource) transaction.eval(lua, numberOfKeys, ...args);
        else transaction.evalsha(sha, numberOfKeys, ...args);
        return batchId;
      };
      const job: Partial<JobJson> = {
        name: CHECK_LOG_JOB,
        data: JSON.stringify(data),
        opts: traces === undefined ? CHECK_LOG_JOB_OPTIONS : withTraces(traces),
        timestamp: queuedAtMs,
      };
      const capture = { runCommand } as unknown as IRedisTransaction;
      void queueOf(shard)
        .getBackend()
        .addJobToTransaction(capture, job as JobJson, batchId);
    },
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

const withTraces = (metadata: string) => ({ ...CHECK_LOG_JOB_OPTIONS, telemetry: { metadata } });
