import { createHash } from 'node:crypto';
import type { RedisConnection } from './connect.js';

type Argument = string | number;

export interface Script {
  readonly source: string;
  readonly sha: string;
}

/** A script with the name that Redis caches it under. */
export const toScript = (source: string): Script => ({
  source,
  sha: createHash('sha1').update(source).digest('hex'),
});

/** Runs a script by its SHA and sends the source only to a Redis that does not know it yet. */
export function loadScript(
  lua: string,
): (redis: RedisConnection, keys: readonly string[], args: readonly Argument[]) => Promise<unknown> {
  const { source, sha } = toScript(lua);
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return redis.eval(source, keys.length, ...keys, ...args);
    }
  };
}

export const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');
