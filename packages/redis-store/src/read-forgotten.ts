import { accountKey } from './keys.js';
import type { AccountStore } from './shards.js';

const DAY_MS = 86_400_000;

/** How many things the steps of an account forgot on the UTC day of `now`, because the week had more than its plan counts. */
export async function readForgotten(
  { redis, shards }: AccountStore,
  accountId: string,
  now: number,
): Promise<number> {
  const text = await redis.hget(accountKey(accountId, shards), 'f');
  const [day, count] = (text ?? '').split(' ').map(Number);
  return day === Math.floor(now / DAY_MS) ? (count ?? 0) : 0;
}
