import { hookDeliveriesKey } from './keys.js';
import type { AccountStore } from './shards.js';

const DELIVERIES_MAX = 20;
const DELIVERIES_SECONDS = 7 * 86_400;

/** Adds a request to the last ones of its hook. They are for reading, so one that is lost or twice there does no harm. */
export async function noteHookDelivery(
  { redis, shards }: AccountStore,
  accountId: string,
  hookId: string,
  delivery: object,
): Promise<void> {
  const key = hookDeliveriesKey(accountId, hookId, shards);
  await redis
    .multi()
    .lpush(key, JSON.stringify(delivery))
    .ltrim(key, 0, DELIVERIES_MAX - 1)
    .expire(key, DELIVERIES_SECONDS)
    .exec();
}

/** Newest first. */
export async function readHookDeliveries(
  { redis, shards }: AccountStore,
  accountId: string,
  hookId: string,
): Promise<unknown[]> {
  const texts = await redis.lrange(hookDeliveriesKey(accountId, hookId, shards), 0, -1);
  return texts.map((text) => JSON.parse(text) as unknown);
}

export async function forgetHookDeliveries(
  { redis, shards }: AccountStore,
  accountId: string,
  hookId: string,
): Promise<void> {
  await redis.del(hookDeliveriesKey(accountId, hookId, shards));
}
