import type { ConnectionOptions } from 'bullmq';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';
import { openTakenJobs, type TakenJobs } from './taken-jobs.js';

/** The check logs of one shard. */
export type ShardJobs = TakenJobs;

interface ShardOptions {
  readonly connection: ConnectionOptions;
  readonly shard: number;
  /** How long a job stays with a consumer that is not heard of again. */
  readonly lockMs: number;
  readonly onError: (error: Error) => void;
}

export const openShardJobs = ({ shard, ...options }: ShardOptions): ShardJobs =>
  openTakenJobs({ ...options, queue: CHECK_LOG_QUEUE, prefix: shardPrefix(shard) });
