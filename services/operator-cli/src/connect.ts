import type { Database } from '@verdict/db/database/client.js';
import type { Metering } from '@verdict/metering/metering.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { shards as configuredShards, databaseUrl, redis as redisTarget } from './config.js';

// Prisma, ioredis and BullMQ are loaded by the command that needs them: together they take longer than most commands.

/** Runs a command against Postgres alone. */
export async function withDatabase<T>(run: (db: Database) => Promise<T>): Promise<T> {
  const { connectDatabase } = await import('@verdict/db/database/client.js');
  const db = connectDatabase({ url: databaseUrl(), name: 'verdict-operator' });
  try {
    return await run(db);
  } finally {
    await db.$disconnect();
  }
}

/** Runs a command against Redis alone. */
export async function withRedis<T>(run: (redis: RedisConnection) => Promise<T>): Promise<T> {
  const { connectForRequests } = await import('@verdict/redis-store/connect.js');
  const redis = connectForRequests(await redisTarget(), 'verdict-operator');
  try {
    await redis.connect();
    return await run(redis);
  } catch (error) {
    if ((error as Error).message.includes('Connection is closed')) {
      throw new Error('Redis cannot be reached (REDIS_URL)');
    }
    throw error;
  } finally {
    redis.disconnect();
  }
}

/** Runs a command that looks at all three places in which a check can be. */
export async function withMetering<T>(run: (metering: Metering) => Promise<T>): Promise<T> {
  const { createDeadLetters } = await import('@verdict/queues/dead-letters.js');
  const { agreeOnShards } = await import('@verdict/redis-store/agree-on-shards.js');
  return withDatabase((db) =>
    withRedis(async (redis) => {
      const deadLetters = createDeadLetters({ connection: redis, onError: () => {} });
      try {
        const shards = await configuredShards();
        await agreeOnShards({ redis, shards });
        return await run({ db, redis, deadLetters, shards });
      } finally {
        await deadLetters.close();
      }
    }),
  );
}
