import { createLogger } from '@verdict/service-kit/logger.js';
import { runService } from '@verdict/service-kit/run-service.js';
import { loadTracing } from '@verdict/telemetry/load-tracing.js';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { createDependencies } from './dependencies.js';

// The level is not known before the configuration is; one that cannot be read is reported at the default level.
const log = createLogger('worker', 'info');

await runService(log, async () => {
  const config = loadConfig();
  log.level = config.LOG_LEVEL;
  const tracing = await loadTracing('worker', config, (cause) => log.warn({ cause }, 'traces'));
  const deps = await createDependencies(config, log, tracing);
  const app = await createApp(deps);

  await app.listen({ host: config.INTERNAL_HOST, port: config.INTERNAL_PORT });
  deps.readiness.ready();
  log.info({ shards: config.REDIS_SHARDS, internalPort: config.INTERNAL_PORT }, 'worker ready');

  return {
    async stop() {
      deps.readiness.drain();
      await deps.finish();
      await app.close();
      await deps.disconnect();
      await tracing?.close();
    },
  };
});
