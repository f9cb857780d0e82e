import { setTimeout as delay } from 'node:timers/promises';
import { closeApp } from '@verdict/service-kit/close-app.js';
import { createInternalServer } from '@verdict/service-kit/internal-server.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import { runService } from '@verdict/service-kit/run-service.js';
import { loadTracing } from '@verdict/telemetry/load-tracing.js';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { createDependencies } from './dependencies.js';

const log = createLogger('scoring', 'info');

await runService(log, async () => {
  const config = loadConfig();
  log.level = config.LOG_LEVEL;
  const tracing = await loadTracing('scoring', config, (cause) => log.warn({ cause }, 'traces'));
  const deps = await createDependencies(config, log, tracing);
  const { app, inFlight } = createApp(deps);
  const internal = createInternalServer({
    readiness: deps.readiness,
    metrics: deps.metrics.registry,
    log,
    probes: { resolver: deps.probeResolver },
  });
  process.on('SIGHUP', () => void deps.datasetWatch.look());

  await internal.listen({ host: config.INTERNAL_HOST, port: config.INTERNAL_PORT });
  await app.listen({ host: config.HOST, port: config.PORT });
  deps.readiness.ready();
  // Behind the listener: checks need not wait for them.
  void deps.ipOrigins.load();
  const { release, versions } = deps.datasets.current();
  log.info({ port: config.PORT, release, datasets: versions }, 'scoring ready');

  return {
    async stop() {
      // Gateways must see us leave before the listener does.
      deps.readiness.drain();
      await delay(config.DRAIN_DELAY_MS);
      await closeApp(app, inFlight);
      deps.close();
      await internal.close();
      await tracing?.close();
    },
  };
});
