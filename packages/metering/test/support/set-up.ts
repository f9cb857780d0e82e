import { CHECK_LOG_JOB } from '@verdict/contracts/check-log-job.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { CHECK_LOG_JOB_OPTIONS } from '@verdict/queues/check-log-job-options.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '@verdict/queues/queue-names.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { Queue } from 'bullmq';
import type { Metering } from '../../src/metering.js';
import { createId } from './check-log.js';

export interface Setting extends Metering {
  /** The owner's. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Queues any payload like a gateway; no worker takes it. */
  queue(payload: unknown, timestamp?: number): Promise<string>;
  /** Rows and rollups of an account. */
  counts(accountId: string): Promise<{ rows: number; counted: number; adjusted: number }>;
  close(): Promise<void>;
}

/** The three places in which a check can be, of this test file's own, and no worker at all. */
export async function setUp(): Promise<Setting> {
  const database = await createDatabase();
  const server = await startRedis();
  const db = connectDatabase({ url: database.url, name: 'test' });
  const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'test');
  await redis.connect();
  const ignore = () => {};
  const deadLetters = createDeadLetters({ connection: redis, onError: ignore });
  const queue = new Queue(CHECK_LOG_QUEUE, { connection: redis, prefix: shardPrefix(0) });
  queue.on('error', ignore);

  return {
    databaseUrl: database.url,
    redisUrl: server.url,
    db,
    redis,
    deadLetters,
    shards: 1,
    async queue(payload, timestamp = Date.now()) {
      const jobId = createId('bat');
      await queue.add(CHECK_LOG_JOB, payload, { ...CHECK_LOG_JOB_OPTIONS, jobId, timestamp });
      return jobId;
    },
    async counts(accountId) {
      const [row] = await db.$queryRaw<{ rows: number; counted: number; adjusted: number }[]>`
        SELECT (SELECT count(*)::int FROM check_logs WHERE account_id = ${accountId}) AS rows,
          (SELECT coalesce(sum(checks), 0)::int FROM usage_hourly WHERE account_id = ${accountId}) AS counted,
          (SELECT coalesce(sum(checks), 0)::int FROM usage_adjustments WHERE account_id = ${accountId}) AS adjusted`;
      if (!row) throw new Error('no counts');
      return row;
    },
    async close() {
      await queue.close();
      await deadLetters.close();
      redis.disconnect();
      await db.$disconnect();
      await server.stop();
      await database.drop();
    },
  };
}
