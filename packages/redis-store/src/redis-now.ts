import type { RedisConnection } from './connect.js';

/** The clock that dates every check, in milliseconds. */
export const redisNow = async (redis: RedisConnection): Promise<number> =>
  Math.floor((await redisNowMicros(redis)) / 1000);

export async function redisNowMicros(redis: RedisConnection): Promise<number> {
  const [seconds, micros] = (await redis.time()).map(Number) as [number, number];
  return seconds * 1_000_000 + micros;
}
