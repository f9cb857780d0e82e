import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { idempotencyKey } from './keys.js';

/**
 * Deletes remembered answers (see idempotency.ts) that quote an address; returns how many. They would expire within a
 * day, but an erasure should not have to wait for that.
 */
export async function forgetAnswers(redis: RedisConnection, email: string): Promise<number> {
  let forgotten = 0;
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', idempotencyKey('*', '*'), 'COUNT', 1000);
      cursor = next;
      for (const key of keys) {
        const answer = await node.hget(key, 'answer');
        if (answer?.toLowerCase().includes(email)) forgotten += await node.del(key);
      }
    } while (cursor !== '0');
  }
  return forgotten;
}
