import { createMetrics } from '@verdict/service-kit/metrics.js';
import { Counter, Histogram } from 'prom-client';

/** What this service counts about itself. */
export function createCounters() {
  const registry = createMetrics('control-plane');
  return {
    registry,
    duration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['route', 'method', 'status'] as const,
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    healed: new Counter({
      name: 'verdict_projections_healed_total',
      help: 'Accounts that a request left behind and the relay or the sweep brought to Redis',
      registers: [registry],
    }),
  };
}
