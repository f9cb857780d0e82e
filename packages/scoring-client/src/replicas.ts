import type { Pool } from 'undici';
import { createFrameLink, type FrameLink } from './frame-link.js';

export interface Replica {
  readonly url: string;
  readonly pool: Pool;
  readonly link: FrameLink;
  /** Not asked before this moment of the monotonic clock unless there is no other. */
  restingUntil: number;
}

interface ReplicasOptions {
  readonly urls: readonly string[];
  readonly connect: (url: string) => Pool;
  readonly deadlineMs: number;
  readonly now?: () => number;
}

const REST_MS = 1_000;
/** Longer than a replica that said goodbye stays among the addresses of its name. */
const GOODBYE_REST_MS = 5_000;

/** Round robin over the replicas; one that failed or said goodbye rests while others are there. */
export function createReplicas({
  urls,
  connect,
  deadlineMs,
  now = () => performance.now(),
}: ReplicasOptions) {
  const create = (url: string): Replica => {
    const pool = connect(url);
    const link = createFrameLink(pool, deadlineMs, () => rest(replica, GOODBYE_REST_MS));
    const replica: Replica = { url, pool, link, restingUntil: 0 };
    return replica;
  };
  const leaving = new Set<Promise<void>>();
  let replicas = urls.map(create);
  let next = 0;

  function rest(replica: Replica, ms: number): void {
    replica.restingUntil = Math.max(replica.restingUntil, now() + ms);
  }

  /** A pool that cannot end in peace has nothing left to lose. */
  function leave({ pool, link }: Replica): void {
    const left = Promise.all([link.leave(), pool.close().catch(() => undefined)]).then(() => undefined);
    leaving.add(left);
    void left.then(() => leaving.delete(left));
  }

  return {
    get size() {
      return replicas.length;
    },
    pick(notThis?: Replica) {
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
    failed(replica: Replica) {
      rest(replica, REST_MS);
    },
    /** Replaces the replicas; requests in flight to a removed one may finish. */
    replace(wanted: readonly string[]) {
      // An empty answer is more often a hiccup of the resolver than the truth.
      if (wanted.length === 0) return;
      const known = new Map(replicas.map((replica) => [replica.url, replica]));
      replicas = wanted.map((url) => known.get(url) ?? create(url));
      next = 0;
      for (const [url, replica] of known) if (!wanted.includes(url)) leave(replica);
    },
    async close() {
      for (const replica of replicas) leave(replica);
      await Promise.all(leaving);
    },
  };
}
