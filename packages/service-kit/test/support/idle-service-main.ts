import { createLogger } from '../../src/logger.js';
import { runService } from '../../src/run-service.js';

/** A service that stops immediately: it writes its last line while the one before is still being written. */
const log = createLogger('test', 'info');
await runService(log, async () => {
  setInterval(() => {}, 1_000);
  log.info('ready');
  return { stop: async () => {} };
});
