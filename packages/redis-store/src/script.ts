import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ChainableCommander } from 'ioredis';
import type { RedisConnection } from './connect.js';

type Argument = string | number;

export interface Script {
  readonly source: string;
  readonly sha: string;
}

/** One .lua file of this package, for whoever runs it inside a transaction. */
export function readScript(file: string): Script {
  // From dist/src and from src alike the scripts lie beside the package's own package.json.
  const source = readFileSync(new URL(`../../lua/${file}`, import.meta.url), 'utf8');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** Runs one .lua file of this package by its SHA, sending the source only to a Redis that does not know it yet. */
export function loadScript(
  file: string,
): (redis: RedisConnection, keys: readonly string[], args: readonly Argument[]) => Promise<unknown> {
  const { source, sha } = readScript(file);
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return redis.eval(source, keys.length, ...keys, ...args);
    }
  };
}

/** Adds a script to a transaction. Inside one nobody notices in time that a server has forgotten it: `withSource` then. */
export function addScript(
  transaction: ChainableCommander,
  { source, sha }: Script,
  keys: readonly string[],
  args: readonly Argument[],
  withSource: boolean,
): void {
  if (withSource) transaction.eval(source, keys.length, ...keys, ...args);
  else transaction.evalsha(sha, keys.length, ...keys, ...args);
}

export const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');
