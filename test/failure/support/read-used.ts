import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { usedField } from '@verdict/redis-store/keys.js';
import { Cluster } from 'ioredis';

/** The usage of an account in a month, from its hash in Redis. */
export async function readUsed(redis: RedisConnection, accountId: string, month: string): Promise<number> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const keys = (await Promise.all(nodes.map((node) => node.keys(`*${accountId}*`)))).flat();
  const counts = await Promise.all(
    keys
      .filter((key) => /:account(:|$)/.test(key))
      .map(async (key) => Number((await redis.hget(key, usedField(month))) ?? 0)),
  );
  return counts.reduce((total, count) => total + count, 0);
}
