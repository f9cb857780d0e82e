import { setTimeout as delay } from 'node:timers/promises';
import { runWork } from '@verdict/db/work/run-work.js';
import { closeApp } from '@verdict/service-kit/close-app.js';
import { createInternalServer } from '@verdict/service-kit/internal-server.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import { messageOf, runService } from '@verdict/service-kit/run-service.js';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { createDependencies } from './dependencies.js';
import { internalRoutes } from './internal/routes/gateway.js';
import { releaseRoutes } from './internal/routes/releases.js';
import { fileWork } from './jobs/file-work.js';

/** Time that running requests, such as downloads, get to finish. */
const FINISH_MS = 8_000;

const log = createLogger('control-plane', 'info');

await runService(log, async () => {
  const config = loadConfig();
  log.level = config.LOG_LEVEL;
  const deps = await createDependencies(config, log);
  const { app, inFlight } = await createApp(deps);
  const internal = createInternalServer({
    readiness: deps.readiness,
    metrics: deps.metrics.registry,
    log,
    probes: {
      redis: async () => void (await deps.redis.ping()),
      postgres: async () => void (await deps.db.$executeRaw`SELECT 1`),
    },
  });
  await internal.register(async (scope) => internalRoutes(scope, deps));
  if (config.DATASETS_DIR !== undefined) releaseRoutes(internal, config.DATASETS_DIR);

  await internal.listen({ host: config.INTERNAL_HOST, port: config.INTERNAL_PORT });
  await app.listen({ host: config.HOST, port: config.PORT });
  deps.relay.start();
  deps.sweep.start();
  deps.proxies.start();
  const fileParser = runWork(deps.db, fileWork(deps.db, log), (error) =>
    log.error({ err: messageOf(error) }, 'the file parser failed'),
  );
  deps.readiness.ready();
  log.info({ port: config.PORT, internalPort: config.INTERNAL_PORT }, 'control plane ready');

  return {
    async stop() {
      // The gateway must see us leave before the listener does.
      deps.readiness.drain();
      await delay(config.DRAIN_DELAY_MS);
      const cut = setTimeout(() => app.server.closeAllConnections(), FINISH_MS);
      await closeApp(app, inFlight);
      clearTimeout(cut);
      await deps.relay.stop();
      await deps.sweep.stop();
      await deps.proxies.stop();
      await fileParser.close();
      await internal.close();
      await deps.disconnect();
    },
  };
});
