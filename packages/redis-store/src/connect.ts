import { type Cluster, Redis, type RedisOptions } from 'ioredis';

/** One server, or a cluster; everything above speaks to both alike. */
export type RedisConnection = Redis | Cluster;

export interface RedisTarget {
  /** redis:// or rediss://, with user and password where the server wants them. */
  readonly url: string;
}

/**
 * A connection that fails fast: a request must not wait for a Redis that is away. ioredis re-sends what was in flight
 * when a connection broke; every script here is safe to run twice, so that is left on.
 */
export function connectForRequests(target: RedisTarget, name: string): RedisConnection {
  return new Redis(target.url, {
    ...base(name),
    maxRetriesPerRequest: 1,
    commandTimeout: 1_500,
  });
}

/** A connection that waits for Redis to come back: for queue consumers, which have nobody to answer to. */
export function connectForQueues(target: RedisTarget, name: string): RedisConnection {
  return new Redis(target.url, { ...base(name), maxRetriesPerRequest: null });
}

/** Connects, or says in one sentence what could not be reached. For the start of a service; later on it waits instead. */
export async function openRedis(redis: RedisConnection): Promise<void> {
  let last: Error | undefined;
  const remember = (error: Error) => {
    last = error;
  };
  redis.on('error', remember);
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    // ioredis reports the cause as an event and rejects with "Connection is closed".
    throw new Error(`Redis cannot be reached (REDIS_URL): ${(last ?? (error as Error)).message}`);
  } finally {
    redis.off('error', remember);
  }
}

const base = (connectionName: string) =>
  ({
    connectionName,
    connectTimeout: 1_000,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 500),
    lazyConnect: true,
  }) satisfies RedisOptions;
