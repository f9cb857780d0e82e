import { collectDefaultMetrics, Registry } from 'prom-client';

/** One registry per process, with Node's own figures, labelled with the service. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}
