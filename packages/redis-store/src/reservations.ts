import { monthOf } from '@verdict/domain/month.js';
import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { accountKey, heldKey, reservedKey, sweptKey } from './keys.js';
import { loadScript } from './script.js';

const runSettle = loadScript('settle.lua');
const runSweep = loadScript('sweep.lua');

/** As long as an Idempotency-Key lives: until then a retry may ask what became of the id. */
const SWEPT_SECONDS = 24 * 60 * 60;

/** These checks are in Postgres now (log ids by account), so their reservations have served. */
export async function settle(
  redis: RedisConnection,
  served: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const accounts = [...served].filter(([, logIds]) => logIds.length > 0);
  if (accounts.length === 0) return;
  // On a cluster accounts lie on different nodes, and a script may not reach over them.
  const calls = redis instanceof Cluster ? accounts.map((account) => [account]) : [accounts];
  await Promise.all(
    calls.map((call) =>
      runSettle(
        redis,
        call.map(([accountId]) => reservedKey(accountId)),
        call.flatMap(([, logIds]) => [logIds.length, ...logIds]),
      ),
    ),
  );
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
