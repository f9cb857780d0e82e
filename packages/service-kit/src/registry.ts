import { collectDefaultMetrics, Registry } from 'prom-client';

/** How often the event loop is measured; the dashboard of deploy/grafana subtracts it. The default of 10 ms is most of what an idle service does. */
const LOOP_EVERY_MS = 50;

/** One registry per process, with Node's own figures, labelled with the service. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_EVERY_MS });
  return registry;
}
