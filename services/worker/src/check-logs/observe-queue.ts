import type { Database } from '@verdict/db/database/client.js';
import { noteQueue } from '@verdict/db/database/observations.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { WorkerMetrics } from '../metrics.js';

interface Dependencies {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly shards: number;
  readonly deadLetters: DeadLetters;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
  readonly highWaterJobs: number;
}

/** How old the figures of the operator area may be. */
const NOTE_EVERY_MS = 10_000;

/** One look at the queue: figures for the metrics, and a word in the log at the high-water mark. */
export function createQueueObserver(dependencies: Dependencies): () => Promise<void> {
  const { db, redis, shards, deadLetters, metrics, log, highWaterJobs } = dependencies;
  let above = false;
  let notedMs = 0;

  return async () => {
    const backlog = await readBacklog(redis, shards);
    const now = Date.now();
    for (const state of ['waiting', 'active', 'delayed', 'failed'] as const) {
      metrics.queueJobs.set({ state }, backlog[state]);
    }
    const oldestSeconds = backlog.oldestMs === null ? null : Math.max(0, now - backlog.oldestMs) / 1000;
    metrics.queueOldestSeconds.set(oldestSeconds ?? 0);
    const letters = await deadLetters.count();
    metrics.deadLetters.set(letters);
    if (now - notedMs >= NOTE_EVERY_MS) {
      notedMs = now;
      const { waiting, active, delayed, failed } = backlog;
      const seen = { waiting, active, delayed, failed, oldestSeconds, deadLetters: letters };
      // Postgres may be away; the figures above must not be.
      await noteQueue(db, seen).catch(() => undefined);
    }

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
