import { countWaiting } from '@verdict/queues/backlog.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { memoryShare } from '@verdict/redis-store/memory-share.js';
import { every } from '@verdict/service-kit/every.js';
import type { Logger } from '@verdict/service-kit/logger.js';

interface WatchOptions {
  readonly redis: RedisConnection;
  readonly shards: number;
  readonly jobsMax: number;
  readonly memoryShareMax: number;
  readonly log: Logger;
  readonly onChange: (overflowing: boolean) => void;
  readonly onMemory: (share: number) => void;
}

const EVERY_MS = 1_000;
/** With so few jobs queued, memory in use is what Redis keeps. */
const JOBS_AT_REST = 16;
/** Beyond this the worker itself might find no room, whatever the memory is used for. */
const SHARE_MAX = 0.95;

/**
 * Logs wait in Redis while Postgres is away. Beyond a mark we refuse new checks rather than let Redis run full: the
 * worker needs room there to take a job. The mark is a share of the room that accounts leave, because refusing checks
 * would free nothing of what Redis keeps for them.
 */
export function watchBacklog(options: WatchOptions) {
  const { redis, shards, jobsMax, memoryShareMax, log, onChange, onMemory } = options;
  let overflowing = false;

  // The last known state of each shard and of the memory, so that one missing node does not stop the decision about the
  // others. A Redis that is down is not full: the check that notices says so.
  const jobs = Array.from({ length: shards }, () => 0);
  let share = 0;
  /** The share that Redis kept when hardly anything waited; 0 until that was seen. */
  let kept = 0;
  const lookAt = async (shard: number) => {
    jobs[shard] = await countWaiting(redis, shard);
  };
  const lookAtMemory = async () => {
    share = await memoryShare(redis);
    onMemory(share);
  };

  async function look(): Promise<void> {
    await Promise.allSettled([...jobs.keys()].map(lookAt).concat(lookAtMemory()));
    const waiting = jobs.reduce((total, count) => total + count, 0);
    // Memory decides alone, because a job holds one check or a hundred; jobs are counted where Redis hides its memory.
    if (waiting <= JOBS_AT_REST) kept = share;
    const mark = Math.max(memoryShareMax, Math.min(SHARE_MAX, kept + memoryShareMax * (1 - kept)));
    const isAbove = share > 0 ? share > mark : waiting > jobsMax;
    if (isAbove === overflowing) return;
    overflowing = isAbove;
    onChange(overflowing);
    const figures = { waiting, jobsMax, memoryShare: share, memoryKept: kept, mark };
    if (overflowing) log.error(figures, 'checks are refused: too many logs wait to be persisted');
    else log.warn(figures, 'checks are taken again: the logs have been persisted');
  }

  const stop = every(EVERY_MS, look, (error) => log.warn({ error }, 'the backlog could not be looked at'));
  return {
    /** True while the queue is so long or large that Redis might fill up before it is stored. */
    get overflowing() {
      return overflowing;
    },
    stop,
  };
}
