import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';

class TooFewReplicas extends Error {
  override name = 'TooFewReplicas';
}

/**
 * Waits until the last write to the node of a key is on this many replicas, which narrows what a failover can lose.
 * Use a connection for these writes only, because everything else on it waits too.
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
    // On a connection that wrote nothing WAIT returns immediately, whatever another connection wrote.
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
