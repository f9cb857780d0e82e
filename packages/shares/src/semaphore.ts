/** Why there is no share: everything is taken, or this owner holds too much already. */
export type Refusal = 'full' | 'many';

/** A part of something shared, held until it is released. */
export interface Share {
  /** Changes what it weighs, unless it may not grow by so much. */
  resize(weight: number): Refusal | undefined;
  /** Gives it to others. Its owners count as holding it for `restMs` more. Harmless when called twice. */
  release(restMs?: number): void;
}

/** A place in the queue. */
export interface Place {
  /** Leaves the queue. False where the turn has come already. */
  leave(): boolean;
}

export type Semaphore = ReturnType<typeof createSemaphore>;

interface EnterOptions {
  readonly weight?: number;
  /** The next step of work that was let in before: it waits for its turn however long the queue is. */
  readonly isUnderWay?: boolean;
}

interface SemaphoreOptions {
  /** In whatever it counts: places, connections, bytes. */
  readonly capacity: number;
  readonly queueMax?: number;
  /** The most that an owner may hold, where that is less than what stays free. */
  readonly ownerMax?: number;
}

interface Waiter {
  readonly owners: readonly string[];
  readonly weight: number;
  readonly begin: (share: Share) => void;
  /** Of its owners: the first that an owner waits for comes before the second of any other. */
  readonly round: number;
}

/**
 * Weighted semaphore with a bounded queue. An owner may hold as much as stays free, in the queue as well: one owner alone
 * gets half, n greedy ones get an (n + 1)th each, and as much is left for the next. The queue serves owners in rounds.
 */
export function createSemaphore({ capacity, queueMax = 0, ownerMax = capacity }: SemaphoreOptions) {
  const held = new Map<string, number>();
  const queue: Waiter[] = [];
  let taken = 0;
  let round = 0;

  function refusal(owners: readonly string[], weight: number): Refusal | undefined {
    const free = capacity - taken;
    if (weight > free) return 'full';
    const most = Math.min(free, ownerMax);
    return owners.some((owner) => (held.get(owner) ?? 0) + weight > most) ? 'many' : undefined;
  }

  function hold(owners: readonly string[], weight: number): Share {
    let own = 0;
    const count = (by: number) => {
      for (const owner of owners) add(held, owner, by);
      if (by < 0) callNext();
    };
    const change = (by: number) => {
      own += by;
      taken += by;
      count(by);
    };
    change(weight);
    let released = false;
    return {
      resize(next) {
        if (released) return undefined;
        const why = next > own ? refusal(owners, next - own) : undefined;
        if (!why) change(next - own);
        return why;
      },
      release(restMs = 0) {
        if (released) return;
        released = true;
        taken -= own;
        if (restMs === 0) return count(-own);
        setTimeout(count, restMs, -own);
        callNext();
      },
    };
  }

  /** The earliest round first, and in a round who came first, among those whose owners may begin. */
  function callNext(): void {
    for (let at = 0; at < queue.length && taken < capacity; ) {
      const next = queue[at] as Waiter;
      if (refusal(next.owners, next.weight)) at++;
      else {
        queue.splice(at, 1);
        round = Math.max(round, next.round);
        next.begin(hold(next.owners, next.weight));
        at = 0; // what began may have ended at once
      }
    }
  }

  const waitersOf = (owner: string) => queue.filter(({ owners }) => owners.includes(owner));
  const roundOf = (owners: readonly string[]): number =>
    1 + Math.max(round, ...owners.flatMap(waitersOf).map((waiter) => waiter.round));

  return {
    /** A share now, or why there is none. */
    take(owners: readonly string[], weight: number = 1) {
      return refusal(owners, weight) ?? hold(owners, weight);
    },
    /** Calls `begin` with a share, now or in turn. Refused where the owners have no place left in the queue either. */
    enter(
      owners: readonly string[],
      begin: (share: Share) => void,
      { weight = 1, isUnderWay = false }: EnterOptions = {},
    ) {
      const why = refusal(owners, weight);
      if (!why) {
        begin(hold(owners, weight));
        return { leave: () => false };
      }
      const places = queueMax - queue.length;
      const isFull = places <= 0 || owners.some((owner) => waitersOf(owner).length >= places);
      if (isFull && !isUnderWay) return why;
      const own: Waiter = { owners, weight, begin, round: roundOf(owners) };
      const later = queue.findIndex((each) => each.round > own.round);
      queue.splice(later === -1 ? queue.length : later, 0, own);
      return {
        leave() {
          const at = queue.indexOf(own);
          if (at !== -1) queue.splice(at, 1);
          return at !== -1;
        },
      };
    },
    get free() {
      return capacity - taken;
    },
    get waiting() {
      return queue.length;
    },
  };
}

function add(amounts: Map<string, number>, owner: string, by: number): void {
  const amount = (amounts.get(owner) ?? 0) + by;
  if (amount === 0) amounts.delete(owner);
  else amounts.set(owner, amount);
}
