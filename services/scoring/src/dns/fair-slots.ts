/** A bounded number of places for work, shared by owners of whom none may crowd out the others. */
export interface FairSlots {
  /** Runs `work` now or in turn; false where its owner has no place left, not even in line. */
  enter(owner: string, work: () => Promise<void>): Place | undefined;
}

export interface Place {
  /** Leaves the line. False where the work has begun already. */
  leave(): boolean;
}

interface Waiting {
  readonly owner: string;
  readonly work: () => Promise<void>;
}

/**
 * An owner may take a place while it holds fewer than are free, in the work as in the line. One owner alone gets half of
 * them; with n greedy ones each gets an (n + 1)th, and as much is still free for whoever comes next. No shares have to be
 * set, and nothing is kept idle for owners that do not exist.
 */
export function createFairSlots(slots: number, lineMax: number): FairSlots {
  const active = new Map<string, number>();
  const line: Waiting[] = [];
  const waiting = new Map<string, number>();
  let taken = 0;

  const mayBegin = (owner: string) => (active.get(owner) ?? 0) < slots - taken;

  function begin({ owner, work }: Waiting): void {
    taken++;
    add(active, owner, 1);
    void work().finally(() => {
      taken--;
      add(active, owner, -1);
      callNext();
    });
  }

  /** First come, first served among those whose owner may begin. */
  function callNext(): void {
    for (let at = 0; at < line.length && taken < slots; ) {
      const next = line[at];
      if (next === undefined || !mayBegin(next.owner)) {
        at++;
        continue;
      }
      line.splice(at, 1);
      add(waiting, next.owner, -1);
      begin(next);
    }
  }

  return {
    enter(owner, work) {
      const own = { owner, work };
      if (mayBegin(owner)) {
        begin(own);
        return { leave: () => false };
      }
      if ((waiting.get(owner) ?? 0) >= lineMax - line.length) return undefined;
      line.push(own);
      add(waiting, owner, 1);
      return {
        leave() {
          const at = line.indexOf(own);
          if (at === -1) return false;
          line.splice(at, 1);
          add(waiting, owner, -1);
          return true;
        },
      };
    },
  };
}

function add(counts: Map<string, number>, owner: string, change: 1 | -1): void {
  const count = (counts.get(owner) ?? 0) + change;
  if (count === 0) counts.delete(owner);
  else counts.set(owner, count);
}
