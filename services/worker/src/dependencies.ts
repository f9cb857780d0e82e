import { connectDatabase } from '@verdict/db/database/client.js';
import { postgresWarnings } from '@verdict/db/database/durability-warnings.js';
import { poolerWarnings } from '@verdict/db/database/pooler-warnings.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { agreeOnShards } from '@verdict/redis-store/agree-on-shards.js';
import { durabilityWarnings } from '@verdict/redis-store/check-durability.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { createScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { bePatient } from '@verdict/service-kit/be-patient.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createReadiness } from '@verdict/service-kit/readiness.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import { createBillingGauges } from './billing-gauges.js';
import { openAdmission } from './bulk/open-admission.js';
import type { WorkerConfig } from './config.js';
import { createDatasetMetrics } from './datasets/dataset-metrics.js';
import { createWorkerMetrics } from './metrics.js';
import { partsOf } from './parts.js';
import { createPolicyRules } from './policies/policy-rules.js';
import { requireDependencies } from './require-dependencies.js';
import { startParts } from './start-parts.js';

/** A replica that takes longer than its DNS deadline many times over is lost. */
const BULK_SCORING_DEADLINE_MS = 10_000;

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/** The parts of the worker, running from the start, in the order in which they start and stop. */
export async function createDependencies(config: WorkerConfig, log: Logger, tracing: Tracing | null) {
  const shards = config.REDIS_SHARDS;
  const db = connectDatabase({ url: config.DATABASE_URL, name: 'verdict-worker' });
  const redis = connectForQueues(redisTarget(config), 'verdict-worker');
  redis.on('error', (error: Error) => log.warn({ cause: messageOf(error) }, 'Redis connection failed'));
  await requireDependencies(db, redis, (step) => bePatient(config.START_PATIENCE_SECONDS, log, step));
  for (const warning of await durabilityWarnings(redis)) log.error(warning);
  for (const warning of await postgresWarnings(db)) log.error(warning);
  for (const warning of await poolerWarnings(config.DATABASE_URL)) log.error(warning);
  await agreeOnShards({ redis, shards });

  const metrics = createWorkerMetrics();
  createDatasetMetrics(metrics.registry, config.DATASETS_DIR);
  createBillingGauges(metrics.registry, {
    db,
    redis,
    graceMs: config.CLOSE_GRACE_HOURS * 3_600_000,
    diskBytes: config.POSTGRES_DISK_GB * 1e9,
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const onQueueError = (error: Error) => log.warn({ cause: messageOf(error) }, 'queue connection failed');
  const deadLetters = createDeadLetters({ connection: redis, onError: onQueueError });
  const { admission, clock, close: closeAdmission } = await openAdmission(config, onQueueError);
  const stores = { db, redis, deadLetters, shards, policyRules: createPolicyRules(db) };

  const scoring =
    config.SCORING_URLS === undefined
      ? null
      : createScoringClient({ urls: valuesOf(config.SCORING_URLS), deadlineMs: BULK_SCORING_DEADLINE_MS });

  const parts = await startParts(
    partsOf({ config, stores, admission, clock, scoring, metrics, tracing, log, signal }),
    { log, metrics },
  );

  return {
    config,
    log,
    readiness: createReadiness(),
    metrics,
    db,
    redis,
    onQueueError,
    /** Starts nothing more and finishes running work. */
    async finish(): Promise<void> {
      // A job that waits for a Postgres that is away goes back to the queue instead of holding up the stop.
      stopping.abort();
      await parts.close();
      await closeAdmission();
      await scoring?.close();
      await deadLetters.close();
    },
    async disconnect(): Promise<void> {
      redis.disconnect();
      await db.$disconnect();
    },
  };
}
