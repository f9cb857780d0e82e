import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { redisNowMicros } from '@verdict/redis-store/redis-now.js';

export type RedisClock = Awaited<ReturnType<typeof createRedisClock>>;

/**
 * The clock of Redis as last heard, advanced by a monotonic clock. A jump of this machine's time changes nothing, and
 * a jump of Redis' time is followed with its next answer.
 */
export async function createRedisClock(
  redis: RedisConnection,
  elapsedMs: () => number = () => performance.now(),
) {
  let aheadMicros = 0;
  const set = (nowMicros: number) => {
    aheadMicros = nowMicros - elapsedMs() * 1_000;
  };
  set(await redisNowMicros(redis));
  return {
    /** About what the clock of Redis shows, in microseconds. */
    now: () => Math.round(elapsedMs() * 1_000 + aheadMicros),
    /** Every answer of the step says what it showed. */
    set,
  };
}
