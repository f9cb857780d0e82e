import { connectDatabase } from '@verdict/db/database/client.js';
import type { Metering } from '@verdict/metering/metering.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';

export interface OpenMetering extends Metering {
  close(): Promise<void>;
}

/** The test's own look at queue, Redis and Postgres. */
export function openMetering(redisUrl: string, databaseUrl: string): OpenMetering {
  const db = connectDatabase({ url: databaseUrl, name: 'test' });
  const redis = connectForQueues({ url: redisUrl, timeoutMs: 20_000 }, 'test');
  const deadLetters = createDeadLetters({ connection: redis, onError: () => {} });
  return {
    db,
    redis,
    deadLetters,
    shards: 1,
    async close() {
      await deadLetters.close();
      redis.disconnect();
      await db.$disconnect();
    },
  };
}
