import { randomUUID } from 'node:crypto';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { queuedBatchKeys } from '@verdict/queues/queued-batches.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { noteKey } from '@verdict/redis-store/keys.js';

/** Queues copies of jobs that wait or are in hand, notes and all; returns how many checks. */
export async function deliverTwice(redis: RedisConnection, jobsMax: number): Promise<number> {
  const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: () => {} });
  const [wait = '', active = ''] = queuedBatchKeys(0);
  const ids = [...(await redis.lrange(active, 0, -1)), ...(await redis.lrange(wait, 0, -1))];
  let copied = 0;
  for (const id of ids.slice(0, jobsMax)) {
    const text = await redis.hget(inserts.jobKey(0, id), 'data');
    const note = await redis.get(noteKey(0, id));
    if (!text || !note) continue; // finished meanwhile
    const data = JSON.parse(text) as CheckLogJob;
    const batchId = `copy-${randomUUID()}`;
    const batch = { shard: 0, batchId, data, queuedAtMs: Date.now(), traces: undefined };
    const { keys, args } = inserts.prepare(batch);
    await redis
      .multi()
      .set(noteKey(0, batchId), note)
      .eval(inserts.script, keys.length, ...keys, ...args)
      .exec();
    for (const { checks } of data.groups) copied += checks.length;
  }
  await inserts.close();
  return copied;
}
