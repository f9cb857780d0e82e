import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';

/**
 * How full Redis is, from 0 to 1; of a cluster, its fullest master that answers: one that is away must not hide another
 * that is full. 0 where no maxmemory is set.
 */
export async function memoryShare(redis: RedisConnection): Promise<number> {
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const looks = await Promise.allSettled(nodes.map(async (node) => shareOf(await node.info('memory'))));
  const shares = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
  if (shares.length === 0) throw new Error('no server says how full it is');
  return Math.max(...shares);
}

function shareOf(info: string): number {
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const limit = field('maxmemory');
  return limit === 0 ? 0 : field('used_memory') / limit;
}
