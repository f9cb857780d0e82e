import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import type { WorkerMetrics } from './metrics.js';

/** Something that a worker runs: it takes up work by itself until it is closed, and then finishes what is in hand. */
export interface Part {
  close(): Promise<void>;
}

type Begin = (onError: (error: unknown) => void) => Part | null | Promise<Part | null>;
/** Begins each part, or gives null for one that this worker does not need. */
export type Parts = Readonly<Record<string, Begin>>;

interface Options {
  readonly log: Logger;
  readonly metrics: Pick<WorkerMetrics, 'partFailures'>;
}

/** Starts every part of a table and closes them in its order. Failures are logged and counted here, in one way for all. */
export async function startParts(table: Parts, { log, metrics }: Options): Promise<Part> {
  const running: Part[] = [];
  for (const [part, begin] of Object.entries(table)) {
    metrics.partFailures.inc({ part }, 0);
    const started = await begin((error) => {
      metrics.partFailures.inc({ part });
      log.warn({ part, cause: messageOf(error) }, 'a part of the worker failed and goes on');
    });
    if (started) running.push(started);
  }
  return {
    async close() {
      for (const part of running) await part.close();
    },
  };
}
