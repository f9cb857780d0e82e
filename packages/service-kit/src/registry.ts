import { collectDefaultMetrics, Registry, type RegistryContentType } from 'prom-client';

export type MetricsRegistry = Registry<RegistryContentType>;

/** How often the event loop is measured; the dashboard of deploy/grafana subtracts it. The default of 10 ms is most of what an idle service does. */
const LOOP_EVERY_MS = 50;

/** One registry per process, with Node's own figures, labelled with the service. */
export function createRegistry(service: string): MetricsRegistry {
  const registry: MetricsRegistry = new Registry<RegistryContentType>();
  // Of the two text formats only this one carries the trace ids of answers.
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_EVERY_MS });
  return registry;
}
