import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';

class TooFewReplicas extends Error {
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
): <T>(key: string, write: () => Promise<T>) => Promise<T> {
  return async (key, write) => {
    const node = redis instanceof Cluster ? masterOf(redis, key) : redis;
    const { stream } = node as { stream?: unknown };
    const written = await write();
    const reached = await node.wait(replicas, timeoutMs);
    // On a connection that wrote nothing WAIT passes at once, whatever the one before it wrote.
    if ((node as { stream?: unknown }).stream !== stream) throw new TooFewReplicas('the connection was lost');
    if (reached < replicas) throw new TooFewReplicas(`${reached} of ${replicas} replicas have the batch`);
    return written;
  };
}

function masterOf(cluster: Cluster, key: string): Redis {
  const [address] = cluster.slots[calculateSlot(key)] ?? [];
  const node = cluster.nodes('master').find(({ options }) => `${options.host}:${options.port}` === address);
  if (!node) throw new TooFewReplicas('no master is known for the shard');
  return node;
}
