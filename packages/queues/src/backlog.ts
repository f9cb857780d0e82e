import { type JobType, Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { CHECK_LOG_QUEUE, RETRIED_LETTER, shardPrefix } from './queue-names.js';

/** All places of an unfinished job. BullMQ names them, so that a renamed list cannot look empty. */
const STATES: JobType[] = ['wait', 'active', 'delayed', 'prioritized', 'failed'];
/** The first jobs of each state: every list is in order, except for a few that were queued again. */
const LOOKED_AT = 50;
const ASKED_AT_ONCE = 500;

export interface Backlog {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  /** When the job that has waited longest was queued; null when the queue is empty. */
  readonly oldestMs: number | null;
}

/** All check logs that were queued and are not persisted yet, over every shard. */
export async function readBacklog(redis: Redis | Cluster, shards: number): Promise<Backlog> {
  const parts = await Promise.all(queuesOf(redis, shards).map((queue) => readShard(redis, queue)));
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

/**
 * Whether any job was queued before a time. Unlike the oldest of `readBacklog` this looks at every one, because a dead
 * letter queued again keeps its old time behind newer ones.
 */
export async function holdsJobsBefore(
  redis: Redis | Cluster,
  shards: number,
  beforeMs: number,
): Promise<boolean> {
  for (const queue of queuesOf(redis, shards)) {
    for await (const times of everyTime(redis, queue)) if (times.some((ms) => ms < beforeMs)) return true;
  }
  return false;
}

/** When the oldest job of a shard was queued, of every one like `holdsJobsBefore`; null when it has none. */
export async function oldestQueuedMs(redis: Redis | Cluster, shard: number): Promise<number | null> {
  let oldestMs = Number.POSITIVE_INFINITY;
  for await (const times of everyTime(redis, queueOf(redis, shard))) oldestMs = Math.min(oldestMs, ...times);
  return Number.isFinite(oldestMs) ? oldestMs : null;
}

/** Whether the job of a batch is queued. A dead letter that somebody queued again has a name of its own and counts as any batch. */
export async function holdsBatch(redis: Redis | Cluster, shard: number, batchId: string): Promise<boolean> {
  const ids = await queueOf(redis, shard).getRanges(STATES, 0, -1, true);
  return ids.some((id) => id === batchId || id.startsWith(RETRIED_LETTER));
}

/** Only the number of jobs that wait in one shard: cheap enough to ask once a second, for shedding load. */
export async function countWaiting(redis: Redis | Cluster, shard: number): Promise<number> {
  return queueOf(redis, shard).getWaitingCount();
}

function queueOf(redis: Redis | Cluster, shard: number): Queue {
  const queue = queuesOf(redis, shard + 1)[shard];
  if (!queue) throw new Error(`there is no shard ${shard}`);
  return queue;
}

/** Queues cost only memory and live as long as their connection, which its owner closes. */
const known = new WeakMap<Redis | Cluster, Queue[]>();

function queuesOf(redis: Redis | Cluster, shards: number): Queue[] {
  const queues = known.get(redis) ?? [];
  known.set(redis, queues);
  while (queues.length < shards) {
    const queue = new Queue(CHECK_LOG_QUEUE, {
      connection: redis,
      prefix: shardPrefix(queues.length),
      skipVersionCheck: true,
      skipMetasUpdate: true,
    });
    queue.on('error', () => {}); // whoever asks is told by the answer
    queues.push(queue);
  }
  return queues.slice(0, shards);
}

async function* everyTime(redis: Redis | Cluster, queue: Queue): AsyncGenerator<number[]> {
  const ids = await queue.getRanges(STATES, 0, -1, true);
  for (let from = 0; from < ids.length; from += ASKED_AT_ONCE) {
    yield await queuedAt(redis, queue, ids.slice(from, from + ASKED_AT_ONCE));
  }
}

async function readShard(redis: Redis | Cluster, queue: Queue): Promise<Backlog> {
  const [counts, ids] = await Promise.all([
    queue.getJobCounts(...STATES),
    queue.getRanges(STATES, 0, LOOKED_AT - 1, true),
  ]);
  const times = await queuedAt(redis, queue, ids);
  const count = (...states: JobType[]) => states.reduce((total, state) => total + (counts[state] ?? 0), 0);
  return {
    waiting: count('wait', 'prioritized'),
    active: count('active'),
    delayed: count('delayed'),
    failed: count('failed'),
    oldestMs: times.length > 0 ? Math.min(...times) : null,
  };
}

/**
 * When jobs were queued, without reading their data, which may be megabytes; BullMQ has no call for it. A job that is
 * gone meanwhile is done; one that exists must have its time.
 */
async function queuedAt(redis: Redis | Cluster, queue: Queue, ids: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(ids.map((id) => redis.hmget(queue.toKey(id), 'timestamp', 'name')));
  return answers.flatMap(([timestamp, name]) => {
    if (timestamp) return [Number(timestamp)];
    if (name) throw new Error('a job of BullMQ does not say when it was queued');
    return [];
  });
}
