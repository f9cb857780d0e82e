import { createRegistry } from '@verdict/service-kit/registry.js';
import { Counter } from 'prom-client';

/** The metrics of this service. */
export function createControlPlaneMetrics() {
  const registry = createRegistry('control-plane');
  return {
    registry,
    healed: new Counter({
      name: 'verdict_projections_healed_total',
      help: 'Accounts that a request left behind and the relay or the sweep brought to Redis',
      registers: [registry],
    }),
  };
}
