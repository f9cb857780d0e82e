import type { Pool } from 'undici';

export interface Replica {
  readonly pool: Pool;
  /** Not asked before this moment unless there is no other. */
  restingUntil: number;
}

export interface Replicas {
  pick(notThis?: Replica): Replica;
  failed(replica: Replica): void;
}

const REST_MS = 1_000;

/** Round robin over the replicas; one that failed rests for a second while others are there. */
export function createReplicas(pools: readonly Pool[], now: () => number = Date.now): Replicas {
  const replicas = pools.map((pool): Replica => ({ pool, restingUntil: 0 }));
  let next = 0;

  return {
    pick(notThis) {
      const moment = now();
      for (let i = 0; i < replicas.length; i++) {
        const replica = replicas[(next + i) % replicas.length] as Replica;
        if (replica === notThis || replica.restingUntil > moment) continue;
        next = (next + i + 1) % replicas.length;
        return replica;
      }
      // All rest, or there is only one: asking it again beats refusing.
      next = (next + 1) % replicas.length;
      return replicas[next] as Replica;
    },
    failed(replica) {
      replica.restingUntil = now() + REST_MS;
    },
  };
}
