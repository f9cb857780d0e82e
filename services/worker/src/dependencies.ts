import { connectDatabase } from '@verdict/db/database/client.js';
import { postgresWarnings } from '@verdict/db/database/durability-warnings.js';
import { poolerWarnings } from '@verdict/db/database/pooler-warnings.js';
import { runWork } from '@verdict/db/work/run-work.js';
import { runTasks } from '@verdict/metering/run-tasks.js';
import { holdsBatch } from '@verdict/queues/backlog.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { agreeOnShards } from '@verdict/redis-store/agree-on-shards.js';
import { durabilityWarnings } from '@verdict/redis-store/check-durability.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { shardOf } from '@verdict/redis-store/shards.js';
import { createScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { bePatient } from '@verdict/service-kit/be-patient.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createReadiness } from '@verdict/service-kit/readiness.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import { createBillingGauges } from './billing-gauges.js';
import { bulkWork } from './bulk/bulk-work.js';
import { openAdmission } from './bulk/open-admission.js';
import { createBulkTasks } from './bulk/upkeep.js';
import { createBurstTasks } from './bursts/burst-tasks.js';
import { startCheckLogs } from './check-logs/start-check-logs.js';
import type { WorkerConfig } from './config.js';
import { createDatasetMetrics } from './datasets/dataset-metrics.js';
import { lookUpBy } from './look-up-by.js';
import { startMail } from './mail/start-mail.js';
import { createWorkerMetrics } from './metrics.js';
import { backtestWork } from './policies/backtest-work.js';
import { createPolicyRules } from './policies/policy-rules.js';
import { requireDependencies } from './require-dependencies.js';
import { createTasks } from './scheduled-tasks.js';
import { secondLookWork } from './second-look/second-look-work.js';
import { startParts } from './start-parts.js';
import { startWebhooks } from './webhooks/start-webhooks.js';

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

  const lookUp = scoring && lookUpBy(scoring);

  const parts = await startParts(
    {
      // First to stop: what its chunks grant the check logs may still persist, and otherwise the next worker does.
      bulk: (onError) => {
        if (scoring === null) return null;
        const work = bulkWork({
          ...stores,
          admission,
          clock,
          isQueued: (accountId, batchId) => holdsBatch(redis, shardOf(accountId, shards), batchId),
          scoring,
          onDone: (addresses) => metrics.bulkAddresses.inc(addresses),
        });
        return runWork(db, work, onError);
      },
      'check-logs': (onError) => {
        const running = startCheckLogs({
          ...{ ...stores, config, metrics, tracing, log, signal },
          onQueueError: onError,
          background: () => onError,
        });
        return { close: () => running.stopTaking().then(running.close) };
      },
      tasks: (onError) =>
        runTasks({
          redis,
          tasks: [
            ...createTasks(stores, config, log, signal),
            ...createBulkTasks(stores, admission, log),
            ...createBurstTasks({ db, lookUp }, log),
          ],
          onAge: (task, ageMs) => metrics.taskAgeSeconds.set({ duty: task }, ageMs / 1000),
          onFailed: (task, error) => log.error({ task, cause: messageOf(error) }, 'task failed'),
          onError,
        }),
      webhooks: (onError) =>
        startWebhooks({ config, redis, registry: metrics.registry, log, signal, onError }),
      backtests: (onError) => runWork(db, backtestWork({ ...stores, plans: config.plans, lookUp }), onError),
      looks: (onError) => scoring && runWork(db, secondLookWork({ ...stores, scoring, log }), onError),
      mail: (onError) => startMail({ config, db, metrics, log, onError }),
    },
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
