import { readBacklog } from '@verdict/queues/backlog.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { WorkerMetrics } from './metrics.js';

interface Dependencies {
  readonly redis: RedisConnection;
  readonly shards: number;
  readonly deadLetters: DeadLetters;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly highWaterJobs: number;
}

/** One look at the queue: figures for the metrics, and a word in the log at the high-water mark. */
export function createQueueObserver(dependencies: Dependencies): () => Promise<void> {
  const { redis, shards, deadLetters, metrics, log, highWaterJobs } = dependencies;
  let above = false;

  return async () => {
    const backlog = await readBacklog(redis, shards);
    const now = Date.now();
    for (const state of ['waiting', 'active', 'delayed', 'failed'] as const) {
      metrics.queueJobs.set({ state }, backlog[state]);
    }
    metrics.queueOldestSeconds.set(
      backlog.oldestMs === null ? 0 : Math.max(0, now - backlog.oldestMs) / 1000,
    );
    metrics.deadLetters.set(await deadLetters.count());

    const isAbove = backlog.waiting > highWaterJobs;
    metrics.queueAboveHighWater.set(isAbove ? 1 : 0);
    if (isAbove !== above) {
      above = isAbove;
      const figures = { waiting: backlog.waiting, highWaterJobs };
      if (isAbove) log.error(figures, 'the queue of check logs rose above the high-water mark');
      else log.warn(figures, 'the queue of check logs is below the high-water mark again');
    }
  };
}
