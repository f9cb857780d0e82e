import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connect.js';
import { confirmationKey } from './keys.js';

/** The connection over which commands of a shard leave. */
export interface Place {
  /** Undefined while a cluster knows no master for the shard. */
  readonly node: Redis | undefined;
  readonly stream: unknown;
}

export function placeOf(redis: RedisConnection, shard: number): Place {
  const node = redis instanceof Cluster ? masterOf(redis, confirmationKey(shard)) : redis;
  return { node, stream: (node as { stream?: unknown } | undefined)?.stream };
}

/** Elsewhere means that a command in between was sent again, to another node or over another connection. */
export const isSamePlace = (one: Place, other: Place): boolean =>
  one.node === other.node && one.stream === other.stream;

function masterOf(cluster: Cluster, key: string): Redis | undefined {
  const [address] = cluster.slots[calculateSlot(key)] ?? [];
  return cluster.nodes('master').find(({ options }) => `${options.host}:${options.port}` === address);
}
