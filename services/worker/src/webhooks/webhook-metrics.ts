import type { MetricsRegistry } from '@verdict/service-kit/registry.js';
import { Counter, Gauge, Histogram } from 'prom-client';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

/** The metrics of webhooks. */
export function createWebhookMetrics(registry: MetricsRegistry) {
  const registers = [registry];
  return {
    attempts: new Counter({
      name: 'verdict_webhook_attempts_total',
      help: 'Messages that were sent, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'verdict_webhook_attempt_seconds',
      help: 'How long endpoints took to answer',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    disabled: new Counter({
      name: 'verdict_webhook_endpoints_disabled_total',
      help: 'Endpoints disabled because they are gone or failed for days',
      registers,
    }),
    pending: new Gauge({
      name: 'verdict_webhook_deliveries_pending',
      help: 'Messages that are neither delivered nor given up',
      registers,
    }),
    overdueSeconds: new Gauge({
      name: 'verdict_webhook_overdue_seconds',
      help: 'How long the message that waits longest has been due; long only for endpoints that fail',
      registers,
    }),
  };
}
