import { Cluster, type Redis, type RedisOptions } from 'ioredis';
import { PunctualCluster, PunctualRedis } from './punctual-redis.js';
import { type RedisSettings, readRedisAddress } from './redis-address.js';
import { SteadySentinelConnector } from './steady-sentinel-connector.js';
import { withoutPrinting } from './without-printing.js';

/** One server, a master that Sentinels name, or a cluster; everything above speaks to all alike. */
export type RedisConnection = Redis | Cluster;

export type RedisTarget = RedisSettings;

type Manner = Pick<
  RedisOptions,
  'maxRetriesPerRequest' | 'commandTimeout' | 'socketTimeout' | 'enableAutoPipelining'
>;

const TIMEOUT_MS = 1_500;
/** No client waits for a command of a queue, so it gets longer. */
const QUEUE_TIMEOUT_MS = 5_000;
/** A connection is left when it was silent a little longer than a command may take. */
const SILENCE_MORE_MS = 500;

/**
 * A connection that fails fast, because a request must not wait for a Redis that is down, and that leaves a Redis
 * silent for two seconds. ioredis re-sends commands in flight when a connection broke, which is safe because every
 * script here is idempotent.
 */
export function connectForRequests(target: RedisTarget, name: string): RedisConnection {
  const { timeoutMs = TIMEOUT_MS } = target;
  return connect(target, name, {
    maxRetriesPerRequest: 1,
    commandTimeout: timeoutMs,
    socketTimeout: timeoutMs + SILENCE_MORE_MS,
  });
}

/**
 * A connection that waits for Redis to come back: for queue consumers, which have nobody to answer to. They take and
 * finish jobs by the dozen, and what they ask in one turn of the event loop leaves in one write. A command that takes five
 * seconds is given up here too, and whoever asked asks again; BullMQ blocks on duplicates, which have longer.
 */
export function connectForQueues(target: RedisTarget, name: string): RedisConnection {
  const timeoutMs = Math.max(QUEUE_TIMEOUT_MS, target.timeoutMs ?? 0);
  return connect(target, name, {
    maxRetriesPerRequest: null,
    commandTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    enableAutoPipelining: true,
  });
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
    const variable = redis instanceof Cluster ? 'REDIS_CLUSTER' : 'REDIS_URL';
    // ioredis reports the cause as an event and rejects with "Connection is closed".
    throw new Error(`Redis cannot be reached (${variable}): ${(last ?? (error as Error)).message}`);
  } finally {
    redis.off('error', remember);
  }
}

/** A missing Sentinel can wait: two others watch. */
const SENTINEL_RECONNECT_MS = 10_000;
/** A replica that took over is usually found by the answer of the node that was asked; one that vanished gives none. */
const SLOTS_REFRESH_MS = 5_000;

const retryDelayMs = (attempt: number): number => Math.min(50 * attempt, 500);

const connect = (target: RedisTarget, name: string, manner: Manner): RedisConnection =>
  withoutPrinting(create(target, name, manner));

function create(target: RedisTarget, name: string, manner: Manner): RedisConnection {
  const address = readRedisAddress(target);
  const common = { connectionName: name, connectTimeout: Math.max(1_000, target.timeoutMs ?? 0), ...manner };
  const single = { ...common, retryStrategy: retryDelayMs, lazyConnect: true } satisfies RedisOptions;
  if (address.kind === 'server') return new PunctualRedis(address.url, single);

  const access = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
  };
  if (address.kind === 'sentinel') {
    return new PunctualRedis({
      ...single,
      ...access,
      Connector: SteadySentinelConnector,
      name: address.name,
      sentinels: [...address.sentinels],
      enableTLSForSentinelMode: address.tls,
      sentinelRetryStrategy: retryDelayMs,
      // A Sentinel may be as silent as its master.
      sentinelCommandTimeout: 1_000,
      // Called when another master was named: the old one may still answer, on the wrong side of a partition.
      failoverDetector: true,
      sentinelReconnectStrategy: () => SENTINEL_RECONNECT_MS,
      role: 'master',
    });
  }
  return new PunctualCluster([...address.nodes], {
    redisOptions: { ...common, ...access },
    clusterRetryStrategy: retryDelayMs,
    lazyConnect: true,
    // While a replica takes over, a command is tried again for about as long as a request may take.
    retryDelayOnFailover: 100,
    retryDelayOnClusterDown: 100,
    maxRedirections: 16,
    slotsRefreshTimeout: 1_000,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    // Nodes announce the names that their certificates are made out to; looking them up would lose those.
    ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
  });
}
