import { type ConnectionOptions, Job, Queue } from 'bullmq';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

/** What these jobs of a shard carry; null for one that is completed. */
export async function readJobData(
  connection: ConnectionOptions,
  shard: number,
  batchIds: readonly string[],
): Promise<unknown[]> {
  if (batchIds.length === 0) return [];
  const queue = new Queue(CHECK_LOG_QUEUE, { connection, prefix: shardPrefix(shard), skipVersionCheck: true });
  try {
    const jobs = await Promise.all(batchIds.map((batchId) => Job.fromId(queue, batchId)));
    return jobs.map((job) => (job?.data as unknown) ?? null);
  } finally {
    await queue.close();
  }
}
