import { timeOfId } from '@verdict/domain/id.js';
import { monthBounds } from '@verdict/domain/month.js';
import { holdsJobsBefore } from '@verdict/queues/backlog.js';
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

/** When the first check in a letter was made; of one that names none, when it was queued. */
const oldestOf = ({ logIds, queuedAtMs }: DeadLetter): number =>
  logIds.length > 0 ? Math.min(...logIds.map(timeOfId)) : queuedAtMs;
