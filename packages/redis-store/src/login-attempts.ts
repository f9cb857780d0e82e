import returnAttemptLua from '../lua/return-attempt.lua';
import takeAttemptLua from '../lua/take-attempt.lua';
import type { RedisConnection } from './connect.js';
import { loginAttemptsKey, loginKnownKey } from './keys.js';
import { loadScript } from './script.js';

const runTake = loadScript(takeAttemptLua);
const runReturn = loadScript(returnAttemptLua);

const KNOWN_SECONDS = 30 * 86_400;
/** Places that a user is known at; the one that was used longest ago makes room. */
const KNOWN_MAX = 100;

/** Milliseconds to wait, or 0 when the attempt may be made. Taken before the password is looked at, so that a hundred
 * simultaneous guesses are a hundred attempts. */
export async function takeAttempt(
  redis: RedisConnection,
  bucket: string,
  attemptsMax: number,
  windowMs: number,
  weight = 1,
): Promise<number> {
  const [taken, waitMs] = (await runTake(
    redis,
    [loginAttemptsKey(bucket)],
    [attemptsMax, windowMs, weight],
  )) as number[];
  return taken === 1 ? 0 : Math.max(waitMs ?? 0, 1);
}

export async function returnAttempt(redis: RedisConnection, bucket: string): Promise<void> {
  await runReturn(redis, [loginAttemptsKey(bucket)], []);
}

/** Has this user logged in from this place within the last month? */
export async function isKnownPlace(redis: RedisConnection, user: string, place: string): Promise<boolean> {
  const at = await redis.zscore(loginKnownKey(user), place);
  return at !== null && Number(at) > Date.now() - KNOWN_SECONDS * 1000;
}

export async function rememberPlaces(
  redis: RedisConnection,
  user: string,
  places: readonly string[],
): Promise<void> {
  const key = loginKnownKey(user);
  await redis
    .multi()
    .zadd(key, ...places.flatMap((place) => [Date.now(), place]))
    .zremrangebyrank(key, 0, -1 - KNOWN_MAX)
    .expire(key, KNOWN_SECONDS)
    .exec();
}
