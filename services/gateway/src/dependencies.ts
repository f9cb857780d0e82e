import { randomFillSync } from 'node:crypto';
import { createAdmission } from '@verdict/admission/admission.js';
import { createFingerprints } from '@verdict/admission/create-fingerprints.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import { createHookSealer } from '@verdict/domain/hooks/projected-secret.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { CHECK_LOG_QUEUE } from '@verdict/queues/queue-names.js';
import { addLoad } from '@verdict/redis-store/account-load.js';
import { agreeOnShards } from '@verdict/redis-store/agree-on-shards.js';
import { durabilityWarnings } from '@verdict/redis-store/check-durability.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { createReplicaWait } from '@verdict/redis-store/replica-wait.js';
import { createScoringClient } from '@verdict/scoring-client/scoring-client.js';
import { bePatient } from '@verdict/service-kit/be-patient.js';
import { readInternalTokens } from '@verdict/service-kit/internal-tokens.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createReadiness } from '@verdict/service-kit/readiness.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import { createRefusedRequests } from '@verdict/service-kit/refused-requests.js';
import { valuesOf } from '@verdict/service-kit/settings.js';
import { createBlockedClients } from '@verdict/shares/blocked-clients.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import type { Tracing } from '@verdict/telemetry/tracing.js';
import { createAccountLoad } from './answers/account-load.js';
import { createKeyUses } from './answers/key-uses.js';
import { createIdentityCache } from './auth/identity-cache.js';
import { createAccountProjector } from './check/account-projector.js';
import { createIpNetworks } from './check/ip-networks.js';
import { createPolicies } from './check/policies.js';
import { watchBacklog } from './check/watch-backlog.js';
import { createControlPlaneClient } from './clients/control-plane-client.js';
import type { GatewayConfig } from './config.js';
import { createForwarder } from './forward/forwarder.js';
import { hookLimits } from './hooks/hook-limits.js';
import { createHooks } from './hooks/hooks.js';
import { createLooks } from './looks/looks.js';
import { createGatewayMetrics } from './metrics.js';
import { createBatchTraces, NO_BATCH_TRACES } from './tracing/batch-traces.js';

/** Hooks whose rates are remembered. */
const HOOKS_MAX = 10_000;

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/** Everything with a connection or a memory, made once, in the order in which it depends on each other. */
export async function createDependencies(config: GatewayConfig, log: Logger, tracing: Tracing | null) {
  const metrics = createGatewayMetrics();
  const readiness = createReadiness();
  const traces = tracing ? createBatchTraces(tracing) : NO_BATCH_TRACES;
  const createId = createIdFactory(Date.now, randomFillSync);
  const shards = config.REDIS_SHARDS;
  const tokens = readInternalTokens(config.INTERNAL_TOKEN);

  const redis = connectForRequests(redisTarget(config), 'gateway');
  // The step has a separate connection: WAIT delays everything behind it, and BullMQ's scripts make transactions
  // expensive.
  const stepRedis = connectForRequests(redisTarget(config), 'gateway-steps');
  for (const connection of [redis, stepRedis]) {
    connection.on('error', (err) => log.warn({ err: err.message }, 'redis connection'));
    await bePatient(config.START_PATIENCE_SECONDS, log, () => openRedis(connection));
  }
  for (const warning of await durabilityWarnings(redis)) log.warn(warning);
  await agreeOnShards({ redis, shards });

  const blockedClients = createBlockedClients();
  const limits = { batchMax: config.BATCH_MAX, waitingMax: config.WAITING_MAX };
  const controlPlane = createControlPlaneClient({
    url: config.CONTROL_PLANE_INTERNAL_URL,
    token: tokens.sent,
    timeoutMs: config.CONTROL_PLANE_TIMEOUT_MS,
  });
  const refused = createRefusedRequests({
    send: controlPlane.reportRefused,
    onError: (err) => log.warn({ err }, 'refused requests not reported'),
  });
  const keyUses = createKeyUses({
    send: controlPlane.reportKeyUses,
    onError: (err) => log.warn({ err }, 'uses of keys not reported'),
  });
  const load = createAccountLoad({
    send: (loads) => addLoad(redis, loads),
    // A Redis that is away shows in every check; the load of that second is worth no line.
    onError: () => undefined,
  });
  const scoring = createScoringClient({
    ...limits,
    urls: valuesOf(config.SCORING_URLS),
    deadlineMs: config.SCORING_DEADLINE_MS,
    onBatch: (size) => metrics.batch.scoring.observe(size),
    onAnswered: (seconds) => metrics.scoringSeconds.observe(seconds),
    onFailure: () => metrics.scoringFailures.inc(),
    carried: traces.carried,
  });

  const inserts = await createCheckLogInserts({
    connection: redis,
    shards,
    onError: (err) => log.warn({ err: err.message }, 'queue connection'),
  });
  const replicas = config.REDIS_WAIT_REPLICAS;
  const admission = createAdmission({
    ...limits,
    store: { redis: stepRedis, shards },
    inserts,
    clock: await createRedisClock(stepRedis),
    createBatchId: () => createId('bat'),
    confirm:
      replicas === 0
        ? undefined
        : createReplicaWait(stepRedis, { replicas, timeoutMs: config.REDIS_WAIT_MS }),
    project: createAccountProjector(controlPlane),
    fingerprint: config.BURSTS === 'on' ? createFingerprints(tokens.shared) : undefined,
    onOutcome: (state, checks) => {
      metrics.admissions[state] += checks;
    },
    onBatch: (checks) => metrics.batch.step.observe(checks),
    carried: traces.carried,
  });

  const forwarder = createForwarder(config.CONTROL_PLANE_URL);
  const backlog = watchBacklog({
    redis,
    shards,
    jobsMax: config.QUEUE_HIGH_WATER_JOBS,
    memoryShareMax: config.REDIS_HIGH_WATER_PERCENT / 100,
    log,
    onChange: (overflowing) => metrics.shedding.set(overflowing ? 1 : 0),
    onMemory: (share) => metrics.redisMemory.set(share),
  });

  return {
    config,
    log,
    tracing,
    metrics,
    readiness,
    createId,
    createLogId: () => createId('log'),
    redis,
    controlPlane,
    refused,
    keyUses,
    load,
    scoring: {
      ...scoring,
      score: traces.follow('client', 'scoring', scoring.score),
      scoreAll: traces.follow('client', 'scoring', scoring.scoreAll),
    },
    ipNetworks: createIpNetworks({ redis, shards }, scoring, () => metrics.ipLookupFailures.inc()),
    policies: createPolicies({ redis, shards }, controlPlane),
    blockedClients,
    identities: createIdentityCache(redis, controlPlane, blockedClients),
    hooks: createHooks({
      store: { redis, shards },
      controlPlane,
      sealer: createHookSealer(tokens.shared),
      blockedClients,
      limits: hookLimits(config.HOOK_ANSWER_MS),
    }),
    hookRates: createTokenBuckets({
      burst: config.HOOK_CHECKS_PER_SECOND,
      perSecond: config.HOOK_CHECKS_PER_SECOND,
      ownersMax: HOOKS_MAX,
    }),
    looks: createLooks({
      perSecond: config.LOOKS_PER_SECOND,
      usage: controlPlane.usage,
      datasets: scoring.datasets,
    }),
    forwarder,
    admission: {
      ...admission,
      look: traces.follow('client', 'admission', admission.look),
      take: traces.follow('producer', `send ${CHECK_LOG_QUEUE}`, admission.take, ({ checks: [first] }) => ({
        'verdict.log_id': first?.id ?? '',
      })),
    },
    direct: tracing ? null : { score: scoring.push, take: admission.push },
    backlog,
    /** Waits for admitted checks; new requests are refused. */
    async close(): Promise<void> {
      await admission.drained();
      await backlog.stop();
      await inserts.close();
      await scoring.close();
      await refused.close();
      await keyUses.close();
      await load.close();
      await controlPlane.close();
      await forwarder.close();
      redis.disconnect();
      stepRedis.disconnect();
    },
  };
}
