import { timeOfId } from '@verdict/domain/id.js';
import { monthBounds } from '@verdict/domain/month.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import { reservationsBefore } from '@verdict/redis-store/reservations.js';
import { accountsWithReservations } from '@verdict/redis-store/scan-accounts.js';
import type { Metering } from './metering.js';
import { REQUEST_LIFE_MAX_MS } from './request-life.js';

/** Why a month, or one before it, may still get checks; null when all of them have arrived. */
export async function pendingOfMonth(metering: Metering, month: string): Promise<string | null> {
  const { redis, deadLetters, shards } = metering;
  const endMs = monthBounds(month).end.getTime();
  const letters = await deadLetters.list();
  const dead = letters.flatMap(({ logIds }) => logIds).filter((logId) => timeOfId(logId) < endMs);
  if (dead.length > 0) return `${dead.length} of its checks lie among the dead letters`;
  const { oldestMs } = await readBacklog(redis, shards);
  if (oldestMs !== null && oldestMs < endMs + REQUEST_LIFE_MAX_MS) {
    return 'the queue still holds jobs that may carry its checks';
  }
  for await (const accountId of accountsWithReservations(redis)) {
    const [first] = await reservationsBefore(redis, accountId, endMs * 1000 - 1, 1);
    if (first) return `check ${first.logId} of ${accountId} has not arrived yet`;
  }
  return null;
}
