import { createLogger } from '../../src/logger.js';
import { runService } from '../../src/run-service.js';

/** A service that stops immediately: it writes its last line while the one before is still being written. An argument is why its stop fails. */
const log = createLogger('test', 'info');
await runService(log, async () => {
  setInterval(() => {}, 1_000);
  log.info('ready');
  const [failure] = process.argv.slice(2);
  return {
    stop: async () => {
      if (failure !== undefined) throw new Error(failure);
    },
  };
});
