import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';

export class TooFewReplicas extends Error {
  override name = 'TooFewReplicas';
}

/**
 * Waits until what was written last to the node of a key is on so many replicas. It narrows what a failover can lose and
 * never closes the hole: a replica that did not have it may be promoted. Give it a connection that only writes what is
 * waited for, because everything else on that connection waits too.
 */
export function createReplicaWait(
  redis: RedisConnection,
  { replicas, timeoutMs }: { readonly replicas: number; readonly timeoutMs: number },
): (key: string) => Promise<void> {
  const slots = new Map<string, number>();
  return async (key) => {
    const node = redis instanceof Cluster ? await masterOf(redis, key, slots) : redis;
    const reached = await node.wait(replicas, timeoutMs);
    if (reached < replicas) throw new TooFewReplicas(`${reached} of ${replicas} replicas have the batch`);
  };
}

async function masterOf(cluster: Cluster, key: string, slots: Map<string, number>): Promise<Redis> {
  const slot = slots.get(key) ?? Number(await cluster.cluster('KEYSLOT', key));
  slots.set(key, slot);
  const [address] = cluster.slots[slot] ?? [];
  const node = cluster.nodes('master').find(({ options }) => `${options.host}:${options.port}` === address);
  if (!node) throw new TooFewReplicas('no master is known for the queue');
  return node;
}
