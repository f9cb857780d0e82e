import type { DeadLetter } from '@verdict/queues/dead-letters.js';
import type { Reservation } from '@verdict/redis-store/reservations.js';
import { REQUEST_LIFE_MAX_MS } from './request-life.js';

/**
 * Whether a reserved check may lie among these dead letters: one names it, or one that names nobody (a version that this
 * worker cannot read) was queued when the check could have been.
 */
export function mayBeSetAside(letters: readonly DeadLetter[]): (reservation: Reservation) => boolean {
  const named = new Set(letters.flatMap(({ logIds }) => logIds));
  const unreadable = letters.filter(({ logIds }) => logIds.length === 0).map(({ queuedAtMs }) => queuedAtMs);
  return ({ logId, admittedAtMicros }) =>
    named.has(logId) ||
    unreadable.some((queuedAtMs) => Math.abs(queuedAtMs - admittedAtMicros / 1000) <= REQUEST_LIFE_MAX_MS);
}
