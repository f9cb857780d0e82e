import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import { unpackCheckLogs } from '@verdict/contracts/pack-check-logs.js';
import { createCheckLogProducer } from '@verdict/queues/check-log-producer.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '@verdict/queues/queue-names.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';

const BASE = `${shardPrefix(0)}:${CHECK_LOG_QUEUE}:`;

/** Queues copies of jobs that wait or are in hand, as a producer that lost its reply would; returns how many checks. */
export async function deliverTwice(redis: RedisConnection, jobsMax: number): Promise<number> {
  const producer = createCheckLogProducer({ connection: redis, shards: 1, onError: () => {} });
  const ids = [
    ...(await redis.lrange(`${BASE}active`, 0, -1)),
    ...(await redis.lrange(`${BASE}wait`, 0, -1)),
  ];
  let copied = 0;
  for (const id of ids.slice(0, jobsMax)) {
    const data = await redis.hget(BASE + id, 'data');
    if (!data) continue; // finished meanwhile
    const checks = unpackCheckLogs(JSON.parse(data)) as CheckLog[];
    await producer.add(checks);
    copied += checks.length;
  }
  await producer.close();
  return copied;
}
