import { Type } from 'typebox';
import { Count } from './settings.js';

/** The two ways to name a Redis, and how accounts are spread over it, alike in every service that has one. */
export const REDIS_SETTINGS = {
  REDIS_URL: Type.String({
    default: '',
    pattern: '^$|^rediss?(\\+sentinel)?://',
    description:
      'Redis: redis[s]://user:password@host:port, or redis[s]+sentinel://user:password@host:port,host:port/master',
  }),
  REDIS_CLUSTER: Type.String({
    default: '',
    description:
      'Nodes of a Redis Cluster, instead of REDIS_URL: redis[s]://user:password@host:port,host:port',
  }),
  REDIS_TIMEOUT_MS: Count(1_500, 'Deadline of a Redis command; then the connection is dropped', {
    minimum: 100,
  }),
  REDIS_SHARDS: Count(
    1,
    'Shards of accounts and queues: 1 for one server, twice the masters of a cluster; must match the number in Redis',
    { maximum: 1024 },
  ),
};

interface RedisConfig {
  readonly REDIS_URL: string;
  readonly REDIS_CLUSTER: string;
  readonly REDIS_TIMEOUT_MS: number;
}

export const redisTarget = (config: RedisConfig) => ({
  url: config.REDIS_URL,
  cluster: config.REDIS_CLUSTER,
  timeoutMs: config.REDIS_TIMEOUT_MS,
});

/** For readConfig: a service that needs Redis must have its address. */
export const missingRedis = (config: Pick<RedisConfig, 'REDIS_URL' | 'REDIS_CLUSTER'>): string[] =>
  config.REDIS_URL || config.REDIS_CLUSTER ? [] : ['REDIS_URL is missing'];
