import type { RedisConnection } from './connect.js';
import { reservedKey } from './keys.js';

/** The check is in Postgres now, so its reservation has served. */
export async function settle(
  redis: RedisConnection,
  accountId: string,
  logIds: readonly string[],
): Promise<void> {
  if (logIds.length > 0) await redis.zrem(reservedKey(accountId), ...logIds);
}

export interface Reservation {
  readonly logId: string;
  readonly admittedAtMicros: number;
}

/** Reservations admitted before a moment, oldest first: candidates for the sweeper. */
export async function reservationsBefore(
  redis: RedisConnection,
  accountId: string,
  beforeMicros: number,
  countMax: number,
): Promise<Reservation[]> {
  const key = reservedKey(accountId);
  const reply = await redis.zrangebyscore(key, '-inf', beforeMicros, 'WITHSCORES', 'LIMIT', 0, countMax);
  const found: Reservation[] = [];
  for (let i = 0; i + 1 < reply.length; i += 2) {
    found.push({ logId: String(reply[i]), admittedAtMicros: Number(reply[i + 1]) });
  }
  return found;
}
