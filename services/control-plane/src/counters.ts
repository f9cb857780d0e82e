import { createMetrics } from '@verdict/service-kit/metrics.js';
import { Counter } from 'prom-client';

/** What this service counts about itself. */
export function createCounters() {
  const registry = createMetrics('control-plane');
  return {
    registry,
    healed: new Counter({
      name: 'verdict_projections_healed_total',
      help: 'Accounts that a request left behind and the relay or the sweep brought to Redis',
      registers: [registry],
    }),
  };
}
