import { randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connectDatabase } from '@verdict/db/database/client.js';
import { readOutboxState } from '@verdict/db/webhooks/webhook-outbox.js';
import { runWork } from '@verdict/db/work/run-work.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createSealer } from '@verdict/domain/sealed-text.js';
import { webhookPolicy } from '@verdict/domain/webhook-address.js';
import { agreedNow } from '@verdict/metering/agreed-now.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { createHostLookup } from '@verdict/service-kit/outgoing/look-up-host.js';
import type { MetricsRegistry } from '@verdict/service-kit/registry.js';
import type { WorkerConfig } from '../config.js';
import { createWebhookDelivery } from './deliver-webhook.js';
import { sendWebhook } from './send-webhook.js';
import { createWebhookMetrics } from './webhook-metrics.js';
import { webhookWork } from './webhook-work.js';

interface Dependencies {
  readonly config: WorkerConfig;
  readonly redis: RedisConnection;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
  /** Aborts running messages; they are sent again. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

const TIMEOUT_MS = 15_000;
const OBSERVE_EVERY_MS = 10_000;
const CONNECTIONS = 2;

/** The parts that deliver webhooks; null without a key to encrypt their secrets. */
export async function startWebhooks(dependencies: Dependencies) {
  const { config, redis, registry, log, signal, onError } = dependencies;
  if (config.SECRETS_KEY === undefined) return null;
  // Separate connections, so that check logs never wait for webhooks.
  const db = connectDatabase({
    url: config.DATABASE_URL,
    name: 'verdict-worker-webhooks',
    connectionsMax: CONNECTIONS,
  });
  const metrics = createWebhookMetrics(registry);
  const send = {
    policy: webhookPolicy(config.WEBHOOK_PRIVATE_HOSTS, config.WEBHOOK_LOOPBACK),
    lookup: createHostLookup({ hostsFile: await readFile('/etc/hosts', 'utf8').catch(() => '') }),
    timeoutMs: TIMEOUT_MS,
    signal,
  };
  const deliver = createWebhookDelivery({
    db,
    sealer: createSealer(config.SECRETS_KEY, randomFillSync),
    createId: createIdFactory(Date.now, randomFillSync),
    send: (posted) => sendWebhook(posted, send),
    signal,
    retrySeconds: config.WEBHOOK_RETRY_SECONDS.split(',').map(Number),
    agreedNow: () => agreedNow({ db, redis }),
    metrics,
    log,
  });
  const sender = runWork(db, webhookWork(db, deliver), onError);

  const observe = async () => {
    const { pending, oldest_seconds } = await readOutboxState(db);
    metrics.pending.set(pending);
    metrics.overdueSeconds.set(oldest_seconds);
  };
  const stopObserving = every(OBSERVE_EVERY_MS, observe, onError);

  return {
    async close() {
      await stopObserving();
      await sender.close();
      await db.$disconnect();
    },
  };
}
