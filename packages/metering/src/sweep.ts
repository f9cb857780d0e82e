import { existingChecks } from '@verdict/db/existing-checks.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import {
  type Reservation,
  reservationsBefore,
  settle,
  sweepReservations,
} from '@verdict/redis-store/reservations.js';
import { accountsWithReservations } from '@verdict/redis-store/scan-accounts.js';
import type { Metering } from './metering.js';
import { redisNow } from './redis-now.js';
import { REQUEST_LIFE_MAX_MS } from './request-life.js';
import { mayBeSetAside } from './set-aside.js';

export interface Swept {
  /** The row was there: only the reservation was left over. */
  readonly settled: number;
  /** No row and none on its way: the customer gets the check back. */
  readonly refunded: number;
  /** Their log may still wait in the queue, or lies among the dead letters. */
  readonly left: number;
}

const PER_ACCOUNT_MAX = 1_000;

/**
 * Decides about old reservations. The order is what makes it safe: first the reservations, then everything queued, then
 * Postgres. A check that was queued when we looked is left alone; one that was not is persisted by now, or never will be.
 */
export async function sweep(metering: Metering, ageMs: number): Promise<Swept> {
  const { db, redis, deadLetters, shards } = metering;
  const beforeMicros = ((await redisNow(redis)) - ageMs) * 1000;
  const candidates = new Map<string, Reservation[]>();
  for await (const accountId of accountsWithReservations(redis)) {
    const found = await reservationsBefore(redis, accountId, beforeMicros, PER_ACCOUNT_MAX);
    if (found.length > 0) candidates.set(accountId, found);
  }
  const swept = { settled: 0, refunded: 0, left: 0 };
  if (candidates.size === 0) return swept;

  // Dead letters before the queue, because a retry puts them there first and removes them after; and once more behind
  // it, because the worker adds them first and lets go of its job after.
  const letters = await deadLetters.list();
  const { oldestMs } = await readBacklog(redis, shards);
  const isSetAside = mayBeSetAside([...letters, ...(await deadLetters.list())]);

  for (const [accountId, reservations] of candidates) {
    const judged = reservations.filter(
      (reservation) => !isSetAside(reservation) && !mayBeQueued(reservation.admittedAtMicros, oldestMs),
    );
    const persisted = await existingChecks(db, judged);
    const served = judged.filter(({ logId }) => persisted.has(logId)).map(({ logId }) => logId);
    await settle(redis, new Map([[accountId, served]]));
    const lost = judged.filter(({ logId }) => !persisted.has(logId));
    swept.settled += served.length;
    swept.refunded += await sweepReservations(redis, accountId, lost);
    swept.left += reservations.length - judged.length;
  }
  return swept;
}

const mayBeQueued = (admittedAtMicros: number, oldestJobMs: number | null): boolean =>
  oldestJobMs !== null && oldestJobMs <= admittedAtMicros / 1000 + REQUEST_LIFE_MAX_MS;
