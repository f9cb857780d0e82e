import { timeOfId } from '@verdict/domain/id.js';
import { monthBounds } from '@verdict/domain/month.js';
import { holdsJobsBefore, oldestQueuedMs } from '@verdict/queues/backlog.js';
import type { DeadLetter } from '@verdict/queues/dead-letters.js';
import type { Metering } from './metering.js';
import { REQUEST_LIFE_MAX_MS } from './request-life.js';

/** Why a month, or one before it, may still get checks; null when all of them have arrived. */
export async function pendingOfMonth(metering: Metering, month: string): Promise<string | null> {
  const { redis, deadLetters, shards } = metering;
  const endMs = monthBounds(month).end.getTime();
  // Ids and jobs carry the clocks of gateways, the month that of Redis: the first moments after it may belong to it.
  const surelyLaterMs = endMs + REQUEST_LIFE_MAX_MS;
  const dead = (await deadLetters.list()).filter((letter) => oldestOf(letter) < surelyLaterMs);
  if (dead.length > 0) return `${dead.length} dead letters hold its checks, or may`;
  if (await holdsJobsBefore(redis, shards, surelyLaterMs)) {
    return 'the queue still holds jobs that may carry its checks';
  }
  return null;
}

/**
 * The moment since which checks may still be queued or set aside; null when nothing is. A month that ended before it has
 * no check that could be stored a second time.
 */
export async function pendingSince({ redis, deadLetters, shards }: Metering): Promise<Date | null> {
  // Letters first: one that is queued again meanwhile is in one of the two.
  const moments = (await deadLetters.list()).map(oldestOf);
  for (let shard = 0; shard < shards; shard++) {
    const queuedMs = await oldestQueuedMs(redis, shard);
    if (queuedMs !== null) moments.push(queuedMs);
  }
  return moments.length > 0 ? new Date(Math.min(...moments) - REQUEST_LIFE_MAX_MS) : null;
}

/** When the first check in a letter was made; of one that names none, when it was queued. */
const oldestOf = ({ logIds, queuedAtMs }: DeadLetter): number =>
  logIds.length > 0 ? Math.min(...logIds.map(timeOfId)) : queuedAtMs;
