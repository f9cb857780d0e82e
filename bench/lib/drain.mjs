import { setTimeout as delay } from 'node:timers/promises';
import { readBacklog } from '@verdict/queues/backlog.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';

/** Waits until every queued check is in Postgres. @param {string} redisUrl */
export function openDrain(redisUrl) {
  const redis = connectForQueues({ url: redisUrl }, 'bench');
  return {
    async wait() {
      while ((await readBacklog(redis, 1)).oldestMs !== null) await delay(20);
    },
    close: () => redis.disconnect(),
  };
}
