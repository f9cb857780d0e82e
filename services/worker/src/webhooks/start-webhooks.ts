import { randomFillSync } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { connectDatabase } from '@verdict/db/database/client.js';
import { readOutboxState } from '@verdict/db/webhooks/webhook-outbox.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { webhookPolicy } from '@verdict/domain/webhook-address.js';
import { createWebhookConsumer } from '@verdict/queues/webhook-consumer.js';
import { createWebhookJobs } from '@verdict/queues/webhook-jobs.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { Registry } from 'prom-client';
import type { WorkerConfig } from '../config.js';
import { createWebhookDelivery } from './deliver-webhook.js';
import { runOutboxRelay } from './outbox-relay.js';
import { sendWebhook } from './send-webhook.js';
import { createWebhookMetrics } from './webhook-metrics.js';

export interface RunningWebhooks {
  close(): Promise<void>;
}

interface Dependencies {
  readonly redis: RedisConnection;
  readonly config: WorkerConfig;
  readonly registry: Registry;
  readonly log: Logger;
  /** Ends messages that are under way; they are sent again. */
  readonly signal: AbortSignal;
  readonly onQueueError: (error: Error) => void;
  readonly background: (task: string) => (error: unknown) => void;
}

const TIMEOUT_MS = 15_000;
const OBSERVE_EVERY_MS = 2_000;
const CONCURRENCY = 64;
const CONNECTIONS = 2;

/** Everything that brings messages to customers; null where nobody set a key to keep their secrets with. */
export function startWebhooks(dependencies: Dependencies): RunningWebhooks | null {
  const { redis, config, registry, log, signal, onQueueError, background } = dependencies;
  if (config.SECRETS_KEY === undefined) return null;
  // Connections of their own: however many messages are settled, check logs never wait for one.
  const db = connectDatabase({
    url: config.DATABASE_URL,
    name: 'verdict-worker-webhooks',
    connectionsMax: CONNECTIONS,
  });
  const metrics = createWebhookMetrics(registry);
  const jobs = createWebhookJobs(redis, onQueueError);
  const relay = runOutboxRelay({ db, jobs, onError: background('webhooks') });
  const send = {
    policy: webhookPolicy(config.WEBHOOK_PRIVATE_HOSTS, config.WEBHOOK_LOOPBACK),
    lookup: (host: string) => lookup(host, { all: true }),
    timeoutMs: TIMEOUT_MS,
    signal,
  };
  const deliver = createWebhookDelivery({
    db,
    sealer: createSealer(config.SECRETS_KEY, randomFillSync),
    createId: createIdFactory(Date.now, randomFillSync),
    send: (posted) => sendWebhook(posted, send),
    retrySeconds: config.WEBHOOK_RETRY_SECONDS.split(',').map(Number),
    metrics,
    log,
  });
  const consumer = createWebhookConsumer({
    connection: redis,
    concurrency: CONCURRENCY,
    handle: (data) => deliver(data).finally(() => relay.nudge()),
    onError: onQueueError,
  });

  const observe = async () => {
    const { pending, oldest_seconds } = await readOutboxState(db);
    metrics.pending.set(pending);
    metrics.overdueSeconds.set(oldest_seconds);
  };
  const stopObserving = every(OBSERVE_EVERY_MS, observe, background('observe webhooks'));

  return {
    async close() {
      await stopObserving();
      await relay.close();
      await consumer.close();
      await jobs.close();
      await db.$disconnect();
    },
  };
}
