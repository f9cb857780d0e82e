import { QueueKeys } from 'bullmq';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

const STATES = ['wait', 'active', 'delayed', 'prioritized', 'paused', 'failed'];

/** Where BullMQ lists the ids of the jobs of a shard that are not completed. */
export function queuedBatchKeys(shard: number): string[] {
  const keys = new QueueKeys(shardPrefix(shard)).getKeys(CHECK_LOG_QUEUE);
  return STATES.map((state) => keys[state] as string);
}
