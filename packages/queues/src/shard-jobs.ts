import { type OpenJobs, openJobs } from './open-jobs.js';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

export type ShardJobs = OpenJobs;

type ShardOptions = Omit<Parameters<typeof openJobs>[0], 'queue' | 'prefix'> & { readonly shard: number };

/** The check logs of one shard. */
export const openShardJobs = ({ shard, ...options }: ShardOptions): ShardJobs =>
  openJobs({ ...options, queue: CHECK_LOG_QUEUE, prefix: shardPrefix(shard) });
