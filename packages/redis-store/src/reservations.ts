import { monthOf } from '@verdict/domain/month.js';
import type { RedisConnection } from './connect.js';
import { accountKey, heldKey, reservedKey, sweptKey } from './keys.js';
import { loadScript } from './script.js';

const runSweep = loadScript('sweep.lua');

/** As long as an Idempotency-Key lives: until then a retry may ask what became of the id. */
const SWEPT_SECONDS = 24 * 60 * 60;

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
  return readReservations(
    await redis.zrangebyscore(key, '-inf', beforeMicros, 'WITHSCORES', 'LIMIT', 0, countMax),
  );
}

/** Gives back reservations that have no row; returns how many really were (see sweep.lua for what may have intervened). */
export async function sweepReservations(
  redis: RedisConnection,
  accountId: string,
  reservations: readonly Reservation[],
): Promise<number> {
  if (reservations.length === 0) return 0;
  const keys = [accountKey(accountId), reservedKey(accountId), sweptKey(accountId), heldKey(accountId)];
  const args = reservations.flatMap(({ logId, admittedAtMicros }) => [
    logId,
    admittedAtMicros,
    monthOfMicros(admittedAtMicros),
  ]);
  return (await runSweep(redis, keys, [SWEPT_SECONDS, ...args])) as number;
}

/** Admission charges the month of its own clock, and that moment is the reservation's score. */
export const monthOfMicros = (micros: number): string => monthOf(new Date(Math.floor(micros / 1000)));

/** A sorted set's reply, member and score in turn. */
export function readReservations(reply: readonly unknown[]): Reservation[] {
  const found: Reservation[] = [];
  for (let i = 0; i + 1 < reply.length; i += 2) {
    found.push({ logId: String(reply[i]), admittedAtMicros: Number(reply[i + 1]) });
  }
  return found;
}
