import returnAttemptLua from '../lua/return-attempt.lua';
import takeAttemptLua from '../lua/take-attempt.lua';
import type { RedisConnection } from './connect.js';
import { loginAttemptsKey, loginKnownKey } from './keys.js';
import { loadScript } from './script.js';

const runTake = loadScript(takeAttemptLua);
const runReturn = loadScript(returnAttemptLua);

const KNOWN_SECONDS = 30 * 86_400;

/** Milliseconds to wait, or 0 when the attempt may be made. Taken before the password is looked at, so that a hundred
 * simultaneous guesses are a hundred attempts. */
export async function takeAttempt(
  redis: RedisConnection,
  bucket: string,
  attemptsMax: number,
  windowMs: number,
): Promise<number> {
  const [taken, waitMs] = (await runTake(
    redis,
    [loginAttemptsKey(bucket)],
    [attemptsMax, windowMs],
  )) as number[];
  return taken === 1 ? 0 : Math.max(waitMs ?? 0, 1);
}

export async function returnAttempt(redis: RedisConnection, bucket: string): Promise<void> {
  await runReturn(redis, [loginAttemptsKey(bucket)], []);
}

/** Has this pair of user and client address logged in within the last month? */
export async function isKnownPair(redis: RedisConnection, pair: string): Promise<boolean> {
  return (await redis.exists(loginKnownKey(pair))) === 1;
}

export async function rememberPair(redis: RedisConnection, pair: string): Promise<void> {
  await redis.set(loginKnownKey(pair), '1', 'EX', KNOWN_SECONDS);
}
