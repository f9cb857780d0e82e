import { countWaiting } from '@verdict/queues/backlog.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { memoryShare } from '@verdict/redis-store/memory-share.js';
import type { Logger } from '@verdict/service-kit/logger.js';

export interface Backlog {
  /** True while so many logs wait, or take so much, that Redis might fill up before they are persisted. */
  readonly overflowing: boolean;
  stop(): void;
}

interface WatchOptions {
  readonly redis: RedisConnection;
  readonly shards: number;
  readonly jobsMax: number;
  /** Of the `maxmemory` of Redis. */
  readonly memoryPercentMax: number;
  readonly log: Logger;
}

const EVERY_MS = 1_000;

/**
 * Logs wait in Redis while Postgres is away. Beyond a mark we refuse new checks rather than let Redis run full: a full
 * one lets workers take no job either, so it would stay full. Memory is looked at too, because a job holds one check or a
 * hundred.
 */
export function watchBacklog({ redis, shards, jobsMax, memoryPercentMax, log }: WatchOptions): Backlog {
  let overflowing = false;
  const timer = setInterval(async () => {
    const seen = await look(redis, shards).catch(() => null);
    if (seen === null) return;
    const over = seen.waiting > jobsMax || seen.memoryPercent > memoryPercentMax;
    if (over === overflowing) return;
    overflowing = over;
    const facts = { ...seen, jobsMax, memoryPercentMax };
    if (over) log.error(facts, 'checks are refused: too many logs wait to be persisted');
    else log.warn(facts, 'checks are taken again: the logs have been persisted');
  }, EVERY_MS);
  return {
    get overflowing() {
      return overflowing;
    },
    stop: () => clearInterval(timer),
  };
}

async function look(redis: RedisConnection, shards: number) {
  const [waiting, share] = await Promise.all([countWaiting(redis, shards), memoryShare(redis)]);
  return { waiting, memoryPercent: Math.round(share * 100) };
}
