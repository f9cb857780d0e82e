import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';

/** Repeats work as long as the service runs. Logs an outage once, not every round. */
export function repeat(name: string, intervalMs: number, log: Logger, work: () => Promise<unknown>) {
  let stop = async (): Promise<void> => {};
  let failing = false;

  async function round(): Promise<void> {
    await work();
    if (failing) log.info(`the ${name} works again`);
    failing = false;
  }

  function tell(error: unknown): void {
    if (!failing) log.error({ err: messageOf(error) }, `the ${name} failed`);
    failing = true;
  }

  return {
    start() {
      stop = every(intervalMs, round, tell);
    },
    /** Waits for the round that is running. */
    stop: () => stop(),
  };
}
