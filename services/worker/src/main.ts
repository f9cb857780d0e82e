import { createLogger } from '@verdict/service-kit/logger.js';
import { runService } from '@verdict/service-kit/run-service.js';
import { loadConfig } from './config.js';
import { startWorker } from './start-worker.js';

// The level is not known before the configuration is; one that cannot be read is reported at the default level.
const log = createLogger('worker', 'info');
await runService(log, async () => {
  const config = loadConfig();
  log.level = config.LOG_LEVEL;
  return startWorker(config, log);
});
