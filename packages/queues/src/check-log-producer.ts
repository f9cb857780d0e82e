import { CHECK_LOG_JOB, type CheckLog } from '@verdict/contracts/check-log-job.js';
import { packCheckLogs } from '@verdict/contracts/pack-check-logs.js';
import { type ConnectionOptions, Queue } from 'bullmq';
import { CHECK_LOG_JOB_OPTIONS } from './check-log-job-options.js';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

export interface CheckLogProducer {
  /**
   * Resolves once Redis has the whole batch: only then may its checks be answered. `traces` travels in the options that
   * BullMQ keeps for this, not in the payload: a worker of an older release would set the batch aside for a new field.
   */
  add(checks: readonly CheckLog[], traces?: string): Promise<void>;
  close(): Promise<void>;
}

interface ProducerOptions {
  readonly connection: ConnectionOptions;
  readonly shards: number;
  readonly onError: (error: Error) => void;
  /** Called with a key of the shard that took a batch; the batch counts as queued only when it resolves. */
  readonly confirm?: (key: string) => Promise<void>;
  readonly now?: () => number;
}

interface Shard {
  readonly queue: Queue;
  readonly key: string;
  /** Not asked before this moment unless there is no other. */
  restingUntil: number;
}

const REST_MS = 1_000;

/**
 * One job carries one group commit: `addBulk` is a pipeline, not a transaction, and a job per check costs nine times
 * the CPU. A job is never given up: it is removed when it is done and stays when it failed.
 *
 * Shards take turns. One whose node is failing over rests, and its batch goes to another: should it be in both, the
 * second one finds its rows there and changes nothing.
 */
export function createCheckLogProducer(options: ProducerOptions): CheckLogProducer {
  const { connection, onError, confirm, now = Date.now } = options;
  const shards = Array.from({ length: options.shards }, (_, index): Shard => {
    const prefix = shardPrefix(index);
    const queue = new Queue(CHECK_LOG_QUEUE, {
      connection,
      prefix,
      skipVersionCheck: true,
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: CHECK_LOG_JOB_OPTIONS,
    });
    queue.on('error', onError);
    return { queue, key: `${prefix}:${CHECK_LOG_QUEUE}:wait`, restingUntil: 0 };
  });
  let next = 0;

  /** Every shard once, beginning with the one whose turn it is; those that rest come last. */
  function turns(): Shard[] {
    next = (next + 1) % shards.length;
    const inTurn = [...shards.slice(next), ...shards.slice(0, next)];
    const moment = now();
    return inTurn.sort((a, b) => Number(a.restingUntil > moment) - Number(b.restingUntil > moment));
  }

  return {
    async add(checks, traces) {
      const data = packCheckLogs(checks);
      const options = traces === undefined ? undefined : { telemetry: { metadata: traces } };
      let failure: unknown;
      for (const shard of turns()) {
        try {
          await shard.queue.add(CHECK_LOG_JOB, data, options);
          await confirm?.(shard.key);
          return;
        } catch (error) {
          shard.restingUntil = now() + REST_MS;
          // Where one outcome is unknown the whole is: a refusal elsewhere does not make it known.
          if (failure === undefined || isRefusal(failure)) failure = error;
        }
      }
      throw failure;
    },
    async close() {
      await Promise.all(shards.map(({ queue }) => queue.close()));
    },
  };
}

const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';
