import type { Database } from '@verdict/db/database/client.js';
import { createCheckLogConsumer } from '@verdict/queues/check-log-consumer.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import { connectForRequests, type RedisConnection } from '@verdict/redis-store/connect.js';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import type { WorkerConfig } from '../config.js';
import type { WorkerMetrics } from '../metrics.js';
import type { PolicyRules } from '../policies/policy-rules.js';
import { traceJobs } from '../tracing/trace-jobs.js';
import { createJobsHandler } from './handle-jobs.js';
import { createKeyUsage } from './key-usage.js';
import { createQueueObserver } from './observe-queue.js';
import { createQuotaWatch } from './quota-watch.js';
import { countChecks } from './read-job.js';
import { createConsumerWatch, SILENCE_MAX_MS } from './watch-consumer.js';
import { createCheckWriter } from './write-checks.js';

interface Options {
  readonly config: WorkerConfig;
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly policyRules: PolicyRules;
  readonly deadLetters: DeadLetters;
  readonly metrics: WorkerMetrics;
  readonly tracing: Tracing | null;
  readonly log: Logger;
  /** Ends the waiting for a Postgres that is away; the job goes back to the queue. */
  readonly signal: AbortSignal;
  readonly onQueueError: (error: Error) => void;
  readonly background: (task: string) => (error: unknown) => void;
}

/** Checks that are enough for one statement. */
const STATEMENT_CHECKS = 1_000;
const KEY_USAGE_EVERY_MS = 10_000;
const QUOTA_EVERY_MS = 2_000;
const OBSERVE_EVERY_MS = 5_000;
const WATCH_EVERY_MS = 5_000;

/** The way from the queue to rows and rollups, and who watches it. */
export function startCheckLogs(options: Options) {
  const {
    config,
    db,
    redis,
    policyRules,
    deadLetters,
    metrics,
    tracing,
    log,
    signal,
    onQueueError,
    background,
  } = options;
  const shards = config.REDIS_SHARDS;
  const keyUsage = createKeyUsage(db);
  const quotaWatch = createQuotaWatch(db, config.plans);
  const write = createCheckWriter({ db, deadLetters, keyUsage, quotaWatch, metrics, log, signal });
  const privacy = { storage: config.EMAIL_STORAGE, hashSecret: config.EMAIL_HASH_SECRET };
  const consumer = createCheckLogConsumer({
    connection: redis,
    shards,
    sizeOf: countChecks,
    roundSize: STATEMENT_CHECKS,
    handle: traceJobs(
      tracing,
      createJobsHandler({ write, redis, deadLetters, metrics, log, privacy, policyRules }),
    ),
    onError: onQueueError,
    onRetry: (batchIds, error) =>
      log.warn({ batchIds, cause: messageOf(error) }, 'jobs went back to the queue'),
  });
  const observe = createQueueObserver({
    db,
    redis,
    shards,
    deadLetters,
    metrics,
    log,
    highWaterJobs: config.QUEUE_HIGH_WATER_JOBS,
  });
  const watchRedis = connectForRequests(redisTarget(config), 'verdict-worker-watchdog');
  const watch = createConsumerWatch({
    redis: watchRedis,
    shards,
    consumer,
    metrics,
    onWedged() {
      log.fatal(
        `jobs wait, and for ${SILENCE_MAX_MS / 1000} seconds none was so much as tried: starting over`,
      );
      process.exit(1);
    },
  });
  const stopTimers = [
    every(OBSERVE_EVERY_MS, observe, background('observe')),
    every(WATCH_EVERY_MS, watch, background('watchdog')),
    every(KEY_USAGE_EVERY_MS, () => keyUsage.flush(), background('key usage')),
    every(QUOTA_EVERY_MS, () => quotaWatch.flush(), background('quotas')),
  ];

  return {
    /** Takes no more jobs and waits for the running ones. */
    stopTaking: () => consumer.close(),
    /** After that: stops watching, and writes what was gathered beside the checks. */
    async close() {
      await Promise.all(stopTimers.map((stop) => stop()));
      await keyUsage.flush().catch(background('key usage'));
      await quotaWatch.flush().catch(background('quotas'));
      watchRedis.disconnect();
    },
  };
}
