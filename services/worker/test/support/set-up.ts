import { randomBytes } from 'node:crypto';
import { CHECK_LOG_JOB } from '@verdict/contracts/check-log-job.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { startRedis, type TestRedis } from '@verdict/local-stack/start-redis.js';
import type { Metering } from '@verdict/metering/metering.js';
import { CHECK_LOG_JOB_OPTIONS } from '@verdict/queues/check-log-job-options.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { CHECK_LOG_QUEUE, shardPrefix } from '@verdict/queues/queue-names.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import { Queue } from 'bullmq';
import { loadConfig, type WorkerConfig } from '../../src/config.js';
import { createDependencies } from '../../src/dependencies.js';
import { type CheckLog, createId, jobsOf } from './check-log.js';

export interface Setting extends Metering {
  readonly config: WorkerConfig;
  /** The environment that the configuration was read from. */
  readonly settings: Readonly<Record<string, string>>;
  readonly databaseUrl: string;
  readonly server: TestRedis;
  /** Queues any payload, as a gateway would or as it never should. */
  queue(payload: unknown, timestamp?: number, batchId?: string): Promise<string>;
  queueChecks(checks: readonly CheckLog[]): Promise<void>;
  startWorker(overrides?: Record<string, string>): Promise<{ stop(): Promise<void> }>;
  /** Rows and rollups of an account. */
  counts(accountId: string): Promise<{ rows: number; counted: number; adjusted: number }>;
  close(): Promise<void>;
}

/** A database, a Redis and a queue of this test file's own; workers run inside the test's process. */
export async function setUp(env: Record<string, string> = {}): Promise<Setting> {
  const database = await createDatabase();
  const server = await startRedis();
  const db = connectDatabase({ url: database.url, name: 'test' });
  const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'test');
  await redis.connect();
  const ignore = () => {};
  const deadLetters = createDeadLetters({ connection: redis, onError: ignore });
  const queue = new Queue(CHECK_LOG_QUEUE, { connection: redis, prefix: shardPrefix(0) });
  queue.on('error', ignore);
  const settings = {
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    LOG_LEVEL: 'silent',
    REDIS_URL: server.url,
    REDIS_TIMEOUT_MS: '20000',
    DATABASE_URL: database.urlOf('worker'),
    EMAIL_HASH_SECRET: randomBytes(16).toString('hex'),
    ...env,
  };
  const running = new Set<{ stop(): Promise<void> }>();
  const add = async (payload: unknown, timestamp?: number, batchId = createId('bat')) => {
    await queue.add(CHECK_LOG_JOB, payload, {
      ...CHECK_LOG_JOB_OPTIONS,
      jobId: batchId,
      ...(timestamp === undefined ? {} : { timestamp }),
    });
    return batchId;
  };

  return {
    db,
    redis,
    deadLetters,
    shards: 1,
    config: loadConfig(settings),
    settings,
    databaseUrl: database.url,
    server,
    queue: add,
    async queueChecks(checks) {
      for (const job of jobsOf(checks)) await add(job);
    },
    async startWorker(overrides = {}) {
      const config = loadConfig({ ...settings, ...overrides });
      const worker = await createDependencies(config, createLogger('worker', 'silent'), null);
      const handle = {
        async stop() {
          if (!running.delete(handle)) return;
          await worker.finish();
          await worker.disconnect();
        },
      };
      running.add(handle);
      return handle;
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
      await Promise.all([...running].map((worker) => worker.stop()));
      await queue.close();
      await deadLetters.close();
      redis.disconnect();
      await db.$disconnect();
      await server.stop();
      await database.drop();
    },
  };
}
