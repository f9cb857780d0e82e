import type { Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { confirmationKey } from './keys.js';
import { isSamePlace, type Place, placeOf } from './place-of.js';

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

interface KnownPlace extends Place {
  readonly node: Redis;
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

  function knownPlace(shard: number): KnownPlace {
    const { node, stream } = placeOf(redis, shard);
    if (!node) throw new TooFewReplicas('no master is known for the shard');
    return { node, stream };
  }

  async function waitAt(shard: number, { node, stream }: KnownPlace): Promise<void> {
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
    const place = knownPlace(shard);
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
      const before = knownPlace(shard);
      const written = await write();
      // Elsewhere WAIT would not mean the write.
      await (isSamePlace(before, placeOf(redis, shard)) ? waitAt(shard, before) : confirmAll(shard));
      return written;
    },
    confirmAll,
  };
}
