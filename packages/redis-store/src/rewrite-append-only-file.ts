import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';

/**
 * Makes every server, replicas too, rewrite its append-only file, which otherwise still contains deleted data. False
 * when one of them refuses.
 */
export async function rewriteAppendOnlyFile(redis: RedisConnection): Promise<boolean> {
  const nodes = redis instanceof Cluster ? redis.nodes('all') : [redis];
  const replies = await Promise.allSettled(nodes.map((node) => node.call('BGREWRITEAOF')));
  return replies.every(({ status }) => status === 'fulfilled');
}
