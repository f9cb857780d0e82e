import { countWaiting } from '@verdict/queues/backlog.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import type { Logger } from '@verdict/service-kit/logger.js';

export interface Backlog {
  /** True while so many logs wait that Redis might fill up before they are persisted. */
  readonly overflowing: boolean;
  stop(): void;
}

interface WatchOptions {
  readonly redis: RedisConnection;
  readonly shards: number;
  readonly jobsMax: number;
  readonly log: Logger;
}

const EVERY_MS = 1_000;

/** Logs wait in Redis while Postgres is away. Beyond a mark we refuse new checks rather than let Redis run full. */
export function watchBacklog({ redis, shards, jobsMax, log }: WatchOptions): Backlog {
  let overflowing = false;
  const timer = setInterval(async () => {
    const waiting = await countWaiting(redis, shards).catch(() => null);
    if (waiting === null || waiting > jobsMax === overflowing) return;
    overflowing = waiting > jobsMax;
    if (overflowing)
      log.error({ waiting, jobsMax }, 'checks are refused: too many logs wait to be persisted');
    else log.warn({ waiting, jobsMax }, 'checks are taken again: the logs have been persisted');
  }, EVERY_MS);
  return {
    get overflowing() {
      return overflowing;
    },
    stop: () => clearInterval(timer),
  };
}
