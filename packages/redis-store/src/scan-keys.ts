import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';

/** Keys by pattern, some at a time, from every master. SCAN may show a key twice. */
export async function* scanKeys(redis: RedisConnection, pattern: string): AsyncGenerator<string[]> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const node of nodes) {
    let cursor = '0';
    do {
      const [next, keys] = await node.scan(cursor, 'MATCH', pattern, 'COUNT', 1000);
      cursor = next;
      if (keys.length > 0) yield keys;
    } while (cursor !== '0');
  }
}
