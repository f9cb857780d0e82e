import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';

/**
 * Has every server, replicas too, write its append-only file anew: until then what was deleted still stands in it.
 * False when one of them would not.
 */
export async function rewriteAppendOnlyFile(redis: RedisConnection): Promise<boolean> {
  const nodes = redis instanceof Cluster ? redis.nodes('all') : [redis];
  const replies = await Promise.allSettled(nodes.map((node) => node.call('BGREWRITEAOF')));
  return replies.every(({ status }) => status === 'fulfilled');
}
