import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { confirmationKey } from './keys.js';

/** Thrown while too few replicas have what was written. */
export class TooFewReplicas extends Error {
  override name = 'TooFewReplicas';
}

export interface ReplicaWait {
  /**
   * Runs a write and resolves when enough replicas have it. While the last wait of the shard failed nothing is written
   * until a trial write reaches them, so that one batch at most is counted without an answer.
   */
  confirm<T>(shard: number, write: () => Promise<T>): Promise<T>;
  /** Resolves when enough replicas have everything that the shard holds now, by any writer. */
  confirmAll(shard: number): Promise<void>;
}

interface Place {
  readonly node: Redis;
  readonly stream: unknown;
}

const CONFIRMATION_SECONDS = 60;

/**
 * Waits until so many replicas have what was written. It narrows what a failover can lose and never closes the hole: a
 * replica that did not have it may be promoted. Needs a connection for steps and looks alone, because WAIT holds up
 * everything behind it.
 */
export function createReplicaWait(
  redis: RedisConnection,
  { replicas, timeoutMs }: { readonly replicas: number; readonly timeoutMs: number },
): ReplicaWait {
  const failing = new Set<number>();
  const trials = new Map<number, Promise<void>>();

  function placeOf(shard: number): Place {
    const node = redis instanceof Cluster ? masterOf(redis, confirmationKey(shard)) : redis;
    return { node, stream: (node as { stream?: unknown }).stream };
  }

  async function waitAt(shard: number, { node, stream }: Place): Promise<void> {
    const reached = await node.wait(replicas, timeoutMs);
    const isSame = (node as { stream?: unknown }).stream === stream;
    // On a connection that wrote nothing WAIT passes immediately, whatever the one before it wrote.
    if (isSame && reached >= replicas) {
      failing.delete(shard);
      return;
    }
    failing.add(shard);
    throw new TooFewReplicas(
      isSame ? `${reached} of ${replicas} replicas have the batch` : 'the connection was lost',
    );
  }

  /** Replicas follow in order: who has this write has all before it. */
  async function confirmAll(shard: number): Promise<void> {
    const place = placeOf(shard);
    await place.node.set(confirmationKey(shard), '', 'EX', CONFIRMATION_SECONDS);
    await waitAt(shard, place);
  }

  function trial(shard: number): Promise<void> {
    const running =
      trials.get(shard) ??
      confirmAll(shard).finally(() => {
        trials.delete(shard);
      });
    trials.set(shard, running);
    return running;
  }

  return {
    async confirm(shard, write) {
      if (failing.has(shard)) await trial(shard);
      const before = placeOf(shard);
      const written = await write();
      const { node, stream } = placeOf(shard);
      // Elsewhere the write was sent again, to another node or over another connection: WAIT there would not mean it.
      await (node === before.node && stream === before.stream ? waitAt(shard, before) : confirmAll(shard));
      return written;
    },
    confirmAll,
  };
}

function masterOf(cluster: Cluster, key: string): Redis {
  const [address] = cluster.slots[calculateSlot(key)] ?? [];
  const node = cluster.nodes('master').find(({ options }) => `${options.host}:${options.port}` === address);
  if (!node) throw new TooFewReplicas('no master is known for the shard');
  return node;
}
