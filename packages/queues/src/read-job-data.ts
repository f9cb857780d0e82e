import { QueueKeys } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

/** The data of these jobs of a shard; null for a completed one. */
export async function readJobData(
  redis: Redis | Cluster,
  shard: number,
  batchIds: readonly string[],
): Promise<unknown[]> {
  const keys = new QueueKeys(shardPrefix(shard));
  const texts = await Promise.all(
    batchIds.map((batchId) => redis.hget(keys.toKey(CHECK_LOG_QUEUE, batchId), 'data')),
  );
  return texts.map((text): unknown => (text === null ? null : JSON.parse(text)));
}
