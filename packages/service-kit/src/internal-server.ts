import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { Gauge } from 'prom-client';
import { installErrorHandling } from './error-handling.js';
import { lazyCompilers } from './lazy-compilers.js';
import type { Logger } from './logger.js';
import type { Readiness } from './readiness.js';
import type { MetricsRegistry } from './registry.js';

/** State of a dependency, for people and for `/readyz?deep=1`: a lost database must not make every replica unready. */
export type Probe = () => Promise<void>;

interface InternalServerOptions {
  readonly readiness: Readiness;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  readonly probes?: Readonly<Record<string, Probe>>;
}

const PROBE_DEADLINE_MS = 1_000;

/** The listener that only operators and sibling services reach: /livez, /readyz and /metrics. */
export function createInternalServer({
  readiness,
  metrics,
  log,
  probes = {},
}: InternalServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true },
    schemaController: lazyCompilers,
  });
  installErrorHandling(app, log);
  const up = dependencyGauge(metrics, probes);

  app.get('/livez', async () => ({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    const reason = readiness.reason();
    const deep = (request.query as { deep?: string }).deep !== undefined;
    const dependencies = deep ? await runProbes(probes) : {};
    const failing = Object.values(dependencies).some((state) => state !== 'ok');
    if (reason || failing) reply.code(503);
    return { status: reason ?? (failing ? 'degraded' : 'ok'), ...(deep ? { dependencies } : {}) };
  });

  app.get('/metrics', async (_request, reply) => {
    await up();
    reply.type(metrics.contentType);
    return metrics.metrics();
  });

  return app;
}

/**
 * The dependencies this process can reach, checked for every scrape, because an outage shows where the dependency is
 * needed.
 */
function dependencyGauge(
  metrics: MetricsRegistry,
  probes: Readonly<Record<string, Probe>>,
): () => Promise<void> {
  if (Object.keys(probes).length === 0) return async () => undefined;
  const gauge = new Gauge({
    name: 'verdict_dependency_up',
    help: '1 when the dependency answered this process just now, else 0',
    labelNames: ['dependency'],
    registers: [metrics],
  });
  return async () => {
    for (const [dependency, state] of Object.entries(await runProbes(probes))) {
      gauge.set({ dependency }, state === 'ok' ? 1 : 0);
    }
  };
}

async function runProbes(probes: Readonly<Record<string, Probe>>): Promise<Record<string, string>> {
  const entries = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => [name, await stateOf(probe)] as const),
  );
  return Object.fromEntries(entries);
}

async function stateOf(probe: Probe): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), PROBE_DEADLINE_MS);
  });
  const answer = probe().then(
    () => 'ok',
    () => 'failed',
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
