import { Cluster } from 'ioredis';
import type { RedisConnection } from './connect.js';

/** How much of its `maxmemory` the fullest server has in use, from 0 to 1; 0 where no maximum is set. */
export async function memoryShare(redis: RedisConnection): Promise<number> {
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  const shares = await Promise.all(servers.map(async (server) => shareOf(await server.info('memory'))));
  return Math.max(0, ...shares);
}

function shareOf(info: string): number {
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const max = field('maxmemory');
  return max === 0 ? 0 : field('used_memory') / max;
}
