import { setTimeout as pause } from 'node:timers/promises';
import { oldestQueuedMs } from '@verdict/queues/backlog.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import { type AccountStore, shardOf } from '@verdict/redis-store/shards.js';

/** Most jobs leave the queue sooner than this. */
const PATIENCE_MS = 2_000;
const LOOK_EVERY_MS = 100;

/**
 * The moment before which no check of an account is queued any more: the oldest job of its shard, or now. Waits a little for
 * the moment that is wanted, because only a worker that hangs keeps the queue behind it for long.
 */
export async function storedUntil(store: AccountStore, accountId: string, wantedMs: number): Promise<Date> {
  const patience = performance.now() + PATIENCE_MS;
  for (;;) {
    const storedMs = await look(store, accountId);
    if (storedMs >= wantedMs || performance.now() > patience) return new Date(storedMs);
    await pause(LOOK_EVERY_MS);
  }
}

async function look({ redis, shards }: AccountStore, accountId: string): Promise<number> {
  // The clock comes first, because a check granted before it is in the queue or has left it.
  const nowMs = await redisNow(redis);
  return Math.min(nowMs, (await oldestQueuedMs(redis, shardOf(accountId, shards))) ?? nowMs);
}
