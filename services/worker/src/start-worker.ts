import { randomFillSync } from 'node:crypto';
import { connectDatabase, type Database } from '@verdict/db/client.js';
import { oldestMailSeconds } from '@verdict/db/outgoing-mails.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { createMailTransport } from '@verdict/mail/mail-transport.js';
import { runDuties } from '@verdict/metering/run-duties.js';
import { createCheckLogConsumer } from '@verdict/queues/check-log-consumer.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { agreeOnShards } from '@verdict/redis-store/agree-on-shards.js';
import { durabilityWarnings } from '@verdict/redis-store/check-durability.js';
import { connectForQueues, connectForRequests } from '@verdict/redis-store/connect.js';
import { every } from '@verdict/service-kit/every.js';
import { createInternalServer } from '@verdict/service-kit/internal-server.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createMetrics } from '@verdict/service-kit/metrics.js';
import { createReadiness } from '@verdict/service-kit/readiness.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import { messageOf, type RunningService } from '@verdict/service-kit/run-service.js';
import { loadTracing } from '@verdict/telemetry/load-tracing.js';
import { openAdmission } from './bulk/open-admission.js';
import { createScoreAddresses } from './bulk/score-addresses.js';
import { startBulk } from './bulk/start-bulk.js';
import { createBulkDuties } from './bulk/upkeep.js';
import type { Config } from './config.js';
import { createDatasetMetrics } from './dataset-metrics.js';
import { createDuties } from './duties.js';
import { createJobsHandler } from './handle-jobs.js';
import { createKeyUsage } from './key-usage.js';
import { createWorkerMetrics, type WorkerMetrics } from './metrics.js';
import { createQueueObserver } from './observe-queue.js';
import { addQueuePage } from './queue-page.js';
import { createQuotaWatch } from './quota-watch.js';
import { countChecks } from './read-job.js';
import { requireDependencies } from './require-dependencies.js';
import { createMailSender } from './send-mails.js';
import { traceJobs } from './trace-jobs.js';
import { createConsumerWatch, SILENCE_MAX_MS } from './watch-consumer.js';
import { startWebhooks } from './webhooks/start-webhooks.js';
import { createCheckWriter } from './write-checks.js';

/** Checks that are enough for one statement. */
const STATEMENT_CHECKS = 1_000;
const KEY_USAGE_EVERY_MS = 10_000;
const QUOTA_EVERY_MS = 2_000;
const OBSERVE_EVERY_MS = 2_000;
const WATCH_EVERY_MS = 5_000;
const MAIL_EVERY_MS = 1_000;

/** The composition root: what the worker is made of, in the order in which it comes up and goes down. */
export async function startWorker(config: Config, log: Logger): Promise<RunningService> {
  const shards = config.REDIS_SHARDS;
  const tracing = await loadTracing('worker', config, (cause) => log.warn({ cause }, 'traces'));
  const db = connectDatabase({ url: config.DATABASE_URL, name: 'verdict-worker' });
  const redis = connectForQueues(redisTarget(config), 'verdict-worker');
  redis.on('error', (error: Error) => log.warn({ cause: messageOf(error) }, 'Redis connection failed'));
  await requireDependencies(db, redis);
  for (const warning of await durabilityWarnings(redis)) log.error(warning);
  await agreeOnShards({ redis, shards });

  const registry = createMetrics('worker');
  const metrics = createWorkerMetrics(registry);
  createDatasetMetrics(registry, config.DATASETS_DIR);
  const readiness = createReadiness();
  const stopping = new AbortController();
  const onError = (error: Error) => log.warn({ cause: messageOf(error) }, 'queue connection failed');

  const deadLetters = createDeadLetters({ connection: redis, onError });
  const keyUsage = createKeyUsage(db);
  const quotaWatch = createQuotaWatch(db, config.plans);
  const write = createCheckWriter({
    db,
    deadLetters,
    keyUsage,
    quotaWatch,
    metrics,
    log,
    signal: stopping.signal,
  });
  const consumer = createCheckLogConsumer({
    connection: redis,
    shards,
    sizeOf: countChecks,
    roundSize: STATEMENT_CHECKS,
    handle: traceJobs(
      tracing,
      createJobsHandler({
        write,
        redis,
        deadLetters,
        metrics,
        log,
        privacy: { storage: config.EMAIL_STORAGE, hashSecret: config.EMAIL_HASH_SECRET },
      }),
    ),
    onError,
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
  watchRedis.on('error', () => {}); // the worker's own connection says what there is to say
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
  const background = (task: string) => (error: unknown) =>
    log.warn({ task, cause: messageOf(error) }, 'background task failed');
  const webhooks = startWebhooks({
    redis,
    config,
    registry,
    log,
    signal: stopping.signal,
    onQueueError: onError,
    onError: background('webhooks'),
  });
  // Also where this worker has no mail server: whoever writes mails that nobody sends should be seen.
  const observeMails = async () => metrics.mailOldestSeconds.set(await oldestMailSeconds(db));
  const mail = startMail(config, db, metrics, log, background('mail'));
  const stopTimers = [
    every(OBSERVE_EVERY_MS, observe, background('observe')),
    every(OBSERVE_EVERY_MS, observeMails, background('observe mails')),
    every(WATCH_EVERY_MS, watch, background('watchdog')),
    every(KEY_USAGE_EVERY_MS, () => keyUsage.flush(), background('key usage')),
    every(QUOTA_EVERY_MS, () => quotaWatch.flush(), background('quotas')),
    ...(webhooks ? [every(OBSERVE_EVERY_MS, webhooks.observe, background('observe webhooks'))] : []),
  ];
  const { admission, clock, close: closeAdmission } = await openAdmission(config, onError);
  const bulk = config.SCORING_URLS
    ? startBulk({
        db,
        redis,
        deadLetters,
        admission,
        clock,
        score: createScoreAddresses(config.SCORING_URLS.split(',').map((url) => url.trim())),
        onDone: (addresses) => metrics.bulkAddresses.inc(addresses),
        log,
      })
    : null;
  const duties = runDuties({
    redis,
    duties: [
      ...createDuties({ db, redis, deadLetters, shards }, config, metrics, log),
      ...createBulkDuties(db, admission, log),
    ],
    onAge: (duty, ageMs) => metrics.dutyAgeSeconds.set({ duty }, ageMs / 1000),
    onFailed: (duty, error) => log.error({ duty, cause: messageOf(error) }, 'duty failed'),
    onError: background('duties'),
  });

  const server = createInternalServer({
    readiness,
    metrics: registry,
    log,
    probes: {
      postgres: async () => void (await db.$queryRaw`SELECT 1`),
      redis: async () => void (await redis.ping()),
    },
  });
  const closeQueuePage = config.OPERATOR_TOKEN
    ? await addQueuePage(server, { redis, shards, token: config.OPERATOR_TOKEN, onError })
    : async () => undefined;
  await server.listen({ host: config.INTERNAL_HOST, port: config.INTERNAL_PORT });
  readiness.ready();
  log.info({ shards, internalPort: config.INTERNAL_PORT }, 'worker ready');

  return {
    async stop() {
      readiness.drain();
      // A job that waits for a Postgres that is away goes back to the queue instead of holding up the stop.
      stopping.abort();
      // Chunks first: what they grant the consumer may still persist, and otherwise the next one does.
      await bulk?.close();
      await Promise.all([consumer.close(), duties.close()]);
      await closeAdmission();
      await Promise.all(stopTimers.map((stop) => stop()));
      await webhooks?.close();
      await keyUsage.flush().catch(background('key usage'));
      await quotaWatch.flush().catch(background('quotas'));
      await mail.close();
      await deadLetters.close();
      await server.close();
      await closeQueuePage();
      redis.disconnect();
      watchRedis.disconnect();
      await db.$disconnect();
      await tracing?.close();
    },
  };
}

/** Only where there is a mail server. */
function startMail(
  config: Config,
  db: Database,
  metrics: WorkerMetrics,
  log: Logger,
  onError: (error: unknown) => void,
): { close(): Promise<void> } {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: publicUrl, SECRETS_KEY: keys } = config;
  if (!smtpUrl || !from || !publicUrl || !keys) return { close: async () => undefined };
  const transport = createMailTransport(smtpUrl, from);
  const sealer = createSealer(keys, randomFillSync);
  const send = createMailSender({ db, sealer, transport, publicUrl, metrics, log });
  const stop = every(MAIL_EVERY_MS, send, onError);
  return {
    async close() {
      await stop();
      transport.close();
    },
  };
}
