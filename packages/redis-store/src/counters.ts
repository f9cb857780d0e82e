import { monthBounds } from '@verdict/domain/month.js';
import type { RedisConnection } from './connect.js';
import { accountKey, reservedKey, usedField } from './keys.js';
import { type Reservation, readReservations } from './reservations.js';
import { loadScript } from './script.js';

const runRead = loadScript('read-counter.lua');
const runRepair = loadScript('repair-counter.lua');

/** An account's count of one month and the checks that are still on their way to Postgres. */
export interface CounterView {
  /** Null when the month has no count here: nothing yet, or a past month that this Redis never saw. */
  readonly used: number | null;
  readonly reservations: readonly Reservation[];
}

/** Null when this Redis does not know the account: it will be projected from Postgres, so there is nothing to compare. */
export async function readCounter(
  redis: RedisConnection,
  accountId: string,
  month: string,
): Promise<CounterView | null> {
  const args = [usedField(month), ...microsOf(month)];
  const reply = (await runRead(redis, [accountKey(accountId), reservedKey(accountId)], args)) as string[];
  const [used, ...reservations] = reply;
  return used === undefined
    ? null
    : { used: used === '' ? null : Number(used), reservations: readReservations(reservations) };
}

/** False when the counter or the reservations moved meanwhile: look again. */
export async function repairCounter(
  redis: RedisConnection,
  accountId: string,
  month: string,
  seen: CounterView,
  right: number,
): Promise<boolean> {
  const args = [usedField(month), seen.used ?? '', right, seen.reservations.length, ...microsOf(month)];
  return (await runRepair(redis, [accountKey(accountId), reservedKey(accountId)], args)) === 1;
}

function microsOf(month: string): [first: number, last: number] {
  const { start, end } = monthBounds(month);
  return [start.getTime() * 1000, end.getTime() * 1000 - 1];
}
