import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';

export interface Repeated {
  start(): void;
  /** Waits for the round that is running. */
  stop(): Promise<void>;
}

/** Does something again and again, with the same pause after each round. An outage is told once, not every round. */
export function repeat(
  name: string,
  intervalMs: number,
  log: Logger,
  work: () => Promise<unknown>,
): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> = Promise.resolve();
  let failing = false;

  async function tick(): Promise<void> {
    try {
      await work();
      if (failing) log.info(`the ${name} works again`);
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: messageOf(error) }, `the ${name} failed`);
      failing = true;
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      round = tick().finally(() => timer && schedule());
    }, intervalMs);
  }

  return {
    start: schedule,
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await round;
    },
  };
}
