import type { RedisConnection } from '@verdict/redis-store/connect.js';

/** The clock that dates every check, in milliseconds. */
export async function redisNow(redis: RedisConnection): Promise<number> {
  const [seconds, micros] = (await redis.time()).map(Number) as [number, number];
  return seconds * 1000 + Math.floor(micros / 1000);
}
