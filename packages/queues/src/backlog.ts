import { readFileSync } from 'node:fs';
import type { Cluster, Redis } from 'ioredis';
import { CHECK_LOG_QUEUE, shardPrefix } from './queue-names.js';

const source = readFileSync(new URL('../../lua/backlog.lua', import.meta.url), 'utf8');
const SETS = ['wait', 'active', 'delayed', 'prioritized', 'paused', 'failed'];
const LOOKED_AT_MAX = 5_000;

export interface Backlog {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  /** When the oldest job was queued; null when the queue is empty, 0 when there are too many jobs to tell. */
  readonly oldestMs: number | null;
}

/** All check logs that were queued and are not persisted yet, over every shard. */
export async function readBacklog(redis: Redis | Cluster, shards: number): Promise<Backlog> {
  const parts = await Promise.all(Array.from({ length: shards }, (_, shard) => readShard(redis, shard)));
  const sum = (field: 'waiting' | 'active' | 'delayed' | 'failed') =>
    parts.reduce((total, part) => total + part[field], 0);
  const oldest = parts.map((part) => part.oldestMs).filter((ms) => ms !== null);
  return {
    waiting: sum('waiting'),
    active: sum('active'),
    delayed: sum('delayed'),
    failed: sum('failed'),
    oldestMs: oldest.length > 0 ? Math.min(...oldest) : null,
  };
}

/** Only the number of waiting jobs: cheap enough to ask once a second, for shedding load. */
export async function countWaiting(redis: Redis | Cluster, shards: number): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: shards }, (_, shard) => redis.llen(`${shardPrefix(shard)}:${CHECK_LOG_QUEUE}:wait`)),
  );
  return counts.reduce((total, count) => total + count, 0);
}

async function readShard(redis: Redis | Cluster, shard: number): Promise<Backlog> {
  const base = `${shardPrefix(shard)}:${CHECK_LOG_QUEUE}:`;
  const keys = SETS.map((set) => base + set);
  const reply = await redis.eval(source, keys.length, ...keys, base, LOOKED_AT_MAX);
  const [waiting, active, delayed, failed, oldest] = reply as [number, number, number, number, number];
  return { waiting, active, delayed, failed, oldestMs: oldest === -1 ? null : oldest };
}
