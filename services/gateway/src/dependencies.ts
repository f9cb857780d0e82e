import { randomFillSync } from 'node:crypto';
import { createIdFactory } from '@verdict/domain/id.js';
import { createCheckLogProducer } from '@verdict/queues/check-log-producer.js';
import { CHECK_LOG_QUEUE } from '@verdict/queues/queue-names.js';
import { durabilityWarnings } from '@verdict/redis-store/check-durability.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { createReplicaWait } from '@verdict/redis-store/replica-wait.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createReadiness } from '@verdict/service-kit/readiness.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import { LRUCache } from 'lru-cache';
import type { CountFailure } from './auth/failed-auth-limit.js';
import { createIdentityCache } from './auth/identity-cache.js';
import { createStrangers } from './auth/strangers.js';
import { createAccountProjector } from './check/account-projector.js';
import { createAdmitter } from './check/admitter.js';
import { createLogWriter } from './check/log-writer.js';
import { createRefunder } from './check/refunder.js';
import { watchBacklog } from './check/watch-backlog.js';
import { createControlPlaneClient } from './clients/control-plane-client.js';
import { createScoringClient } from './clients/scoring-client.js';
import type { GatewayConfig } from './config.js';
import { createCounters } from './counters.js';
import { createForwarder } from './forward/forwarder.js';
import { createLooks } from './looks/looks.js';
import { createBatchTraces, NO_BATCH_TRACES } from './tracing/batch-traces.js';

const RECENT_ACCOUNTS_MAX = 50_000;

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/** Everything with a connection or a memory, made once, in the order in which it depends on each other. */
export async function createDependencies(config: GatewayConfig, log: Logger, tracing: Tracing | null) {
  const counters = createCounters();
  const readiness = createReadiness();
  const traces = tracing ? createBatchTraces(tracing) : NO_BATCH_TRACES;
  const createId = createIdFactory(Date.now, randomFillSync);

  const redis = connectForRequests(redisTarget(config), 'gateway');
  redis.on('error', (err) => log.warn({ err: err.message }, 'redis connection'));
  await openRedis(redis);
  for (const warning of await durabilityWarnings(redis)) log.warn(warning);

  const strangers = createStrangers();
  const limits = { batchMax: config.BATCH_MAX, waitingMax: config.WAITING_MAX };
  const controlPlane = createControlPlaneClient(config.CONTROL_PLANE_INTERNAL_URL, config.INTERNAL_TOKEN);
  const scoring = createScoringClient({
    ...limits,
    urls: config.SCORING_URLS.split(',').map((url) => url.trim()),
    deadlineMs: config.SCORING_DEADLINE_MS,
    onBatch: (size) => counters.batch.scoring.observe(size),
    onAnswered: (seconds) => counters.scoringSeconds.observe(seconds),
    onFailure: () => counters.scoringFailures.inc(),
    carried: traces.carried,
  });
  // WAIT holds up everything behind it on its connection, so logs get one of their own.
  const replicas = config.REDIS_WAIT_REPLICAS;
  const logRedis = replicas === 0 ? redis : connectForRequests(redisTarget(config), 'gateway-logs');
  if (logRedis !== redis) {
    logRedis.on('error', (err) => log.warn({ err: err.message }, 'redis connection for logs'));
    await openRedis(logRedis);
  }
  const producer = createCheckLogProducer({
    connection: logRedis,
    ...(replicas === 0
      ? {}
      : { confirm: createReplicaWait(logRedis, { replicas, timeoutMs: config.REDIS_WAIT_MS }) }),
    shards: config.QUEUE_SHARDS,
    onError: (err) => log.warn({ err: err.message }, 'queue connection'),
  });

  const admitter = createAdmitter({
    ...limits,
    redis,
    outcomes: counters.admissions,
    onBatch: (size) => counters.batch.admission.observe(size),
  });
  const logWriter = createLogWriter({
    ...limits,
    producer,
    onBatch: (size) => counters.batch.log.observe(size),
    carried: traces.carried,
  });

  return {
    log,
    tracing,
    counters,
    readiness,
    createId,
    createLogId: () => createId('log'),
    redis,
    logRedis,
    controlPlane,
    scoring: { ...scoring, batcher: traces.follow('client', 'scoring', scoring.batcher) },
    producer,
    strangers,
    identities: createIdentityCache(redis, controlPlane, strangers),
    looks: createLooks({
      perSecond: config.LOOKS_PER_SECOND,
      usage: controlPlane.usage,
      datasets: scoring.datasets,
    }),
    forwarder: createForwarder(config.CONTROL_PLANE_URL),
    projector: createAccountProjector(controlPlane),
    admitter: traces.follow('client', 'admission', admitter),
    logWriter: traces.follow('producer', `send ${CHECK_LOG_QUEUE}`, logWriter, ({ id }) => ({
      'verdict.log_id': id,
    })),
    refunder: createRefunder(redis, log),
    backlog: watchBacklog({
      redis,
      shards: config.QUEUE_SHARDS,
      jobsMax: config.QUEUE_HIGH_WATER_JOBS,
      memoryShareMax: config.REDIS_HIGH_WATER_PERCENT / 100,
      log,
      onChange: (overflowing) => counters.shedding.set(overflowing ? 1 : 0),
    }),
    recentlyGranted: new LRUCache<string, true>({ max: RECENT_ACCOUNTS_MAX }),
    /** Set by the app once its limiter is registered. */
    countFailure: (async (_request, error) => error) as CountFailure,
  };
}
