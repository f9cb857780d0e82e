import { Type } from 'typebox';

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
      'Instead of REDIS_URL, nodes of a Redis Cluster: redis[s]://user:password@host:port,host:port',
  }),
  REDIS_SHARDS: Type.Integer({
    minimum: 1,
    maximum: 1024,
    default: 1,
    description:
      'Hash slots that accounts and their queues are spread over; 1 for one server, twice the masters of a cluster. The same everywhere: a service that disagrees with Redis does not start',
  }),
};

interface RedisConfig {
  readonly REDIS_URL: string;
  readonly REDIS_CLUSTER: string;
}

export const redisTarget = (config: RedisConfig): { readonly url: string; readonly cluster: string } => ({
  url: config.REDIS_URL,
  cluster: config.REDIS_CLUSTER,
});

/** For readConfig: a service that needs Redis must be told where one is. */
export const missingRedis = (config: RedisConfig): string[] =>
  config.REDIS_URL || config.REDIS_CLUSTER ? [] : ['REDIS_URL is missing'];
