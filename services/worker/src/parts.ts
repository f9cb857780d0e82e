import type { Admission } from '@verdict/admission/admission.js';
import type { RedisClock } from '@verdict/admission/redis-clock.js';
import { runWork } from '@verdict/db/work/run-work.js';
import type { Metering } from '@verdict/metering/metering.js';
import { runTasks } from '@verdict/metering/run-tasks.js';
import { holdsBatch } from '@verdict/queues/backlog.js';
import { shardOf } from '@verdict/redis-store/shards.js';
import type { ScoringClient } from '@verdict/scoring-client/scoring-client.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import { bulkWork } from './bulk/bulk-work.js';
import { createBulkTasks } from './bulk/upkeep.js';
import { createBurstTasks } from './bursts/burst-tasks.js';
import { startCheckLogs } from './check-logs/start-check-logs.js';
import type { WorkerConfig } from './config.js';
import { subjectErasureWork } from './erasure/subject-erasure-work.js';
import { lookUpBy } from './look-up-by.js';
import { mailSealer } from './mail/mail-sealer.js';
import { startMail } from './mail/start-mail.js';
import type { WorkerMetrics } from './metrics.js';
import { backtestWork } from './policies/backtest-work.js';
import type { PolicyRules } from './policies/policy-rules.js';
import { createTasks } from './scheduled-tasks.js';
import { secondLookWork } from './second-look/second-look-work.js';
import type { Parts } from './start-parts.js';
import { startWebhooks } from './webhooks/start-webhooks.js';

interface Options {
  readonly config: WorkerConfig;
  readonly stores: Metering & { readonly policyRules: PolicyRules };
  readonly admission: Admission;
  readonly clock: RedisClock;
  /** Null where no replica is configured. */
  readonly scoring: ScoringClient | null;
  readonly metrics: WorkerMetrics;
  readonly tracing: Tracing | null;
  readonly log: Logger;
  /** Ends what waits for a server that is away. */
  readonly signal: AbortSignal;
}

/** The parts of a worker, in the order in which they start and stop. */
export function partsOf(options: Options): Parts {
  const { config, stores, admission, clock, scoring, metrics, tracing, log, signal } = options;
  const { db, redis, shards } = stores;
  const lookUp = scoring && lookUpBy(scoring);
  return {
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
          ...createBurstTasks({ db, lookUp, sealer: mailSealer(config) }, log),
        ],
        onAge: (task, ageMs) => metrics.taskAgeSeconds.set({ duty: task }, ageMs / 1000),
        onFailed: (task, error) => log.error({ task, cause: messageOf(error) }, 'task failed'),
        onError,
      }),
    webhooks: (onError) => startWebhooks({ config, redis, registry: metrics.registry, log, signal, onError }),
    backtests: (onError) => runWork(db, backtestWork({ ...stores, plans: config.plans, lookUp }), onError),
    erasures: (onError) => runWork(db, subjectErasureWork(stores), onError),
    looks: (onError) => scoring && runWork(db, secondLookWork({ ...stores, scoring, log }), onError),
    mail: (onError) => startMail({ config, db, metrics, log, onError }),
  };
}
