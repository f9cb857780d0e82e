import type { Database } from '../database/client.js';
import { putBack } from './lease.js';
import type { Leased, WorkQueue } from './work-queue.js';

/** Nothing to be done at a row before this time has passed; null when the row was settled. */
export type AfterMs = number | null;

/** A queue and what is done with its rows. */
export interface Work<Taken extends Leased> {
  readonly queue: WorkQueue;
  /** Leases up to so many rows, fewer if it likes; it is asked again until none is due. */
  take(places: number): Promise<readonly Taken[]>;
  /** Works at a row until it is settled or the signal says that the process stops. */
  run(taken: Taken, closing: AbortSignal): Promise<AfterMs>;
  /** Ends a row that made no progress in its tries. */
  giveUp?(taken: Taken): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** How long a row is left alone after a failure. */
const RETRY_MS = 1_000;
/** A row that is put back for longer is found by looking every second. */
const REMEMBERED_MS = 60_000;

export type RunningWork = ReturnType<typeof runWork>;

/**
 * Works at a queue in as many places as it has, until it is closed. A row of a process that died is taken by another
 * when its lease ends. A row that was put back here is taken again on time, which keeps the pace of bulk jobs.
 */
export function runWork<Taken extends Leased>(
  db: Database,
  work: Work<Taken>,
  onError: (error: unknown) => void,
) {
  const { queue } = work;
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  const idleWaiters: (() => void)[] = [];
  let dueAt: number[] = [];
  let isAwake = true;
  let wake = (): void => {
    isAwake = true;
  };

  async function workAt(taken: Taken): Promise<void> {
    if (work.giveUp && (taken.tries ?? 0) > (queue.tries?.max ?? Number.POSITIVE_INFINITY))
      return work.giveUp(taken);
    const afterMs = await work.run(taken, closing.signal).catch((error: unknown) => {
      onError(error);
      return closing.signal.aborted ? 0 : RETRY_MS;
    });
    if (afterMs === null) return;
    await putBack(db, queue, taken, afterMs);
    if (afterMs < REMEMBERED_MS) dueAt.push(performance.now() + afterMs);
  }

  /** Fills the free places; false when nothing was due. */
  async function fill(): Promise<boolean> {
    let isAny = false;
    while (!closing.signal.aborted && underWay.size < queue.places) {
      const taken = await work.take(queue.places - underWay.size);
      if (taken.length === 0) return isAny;
      isAny = true;
      for (const one of taken) {
        const working: Promise<void> = workAt(one)
          .catch(onError)
          .finally(() => {
            underWay.delete(working);
            wake();
          });
        underWay.add(working);
      }
    }
    return isAny;
  }

  async function rest(): Promise<void> {
    const now = performance.now();
    dueAt = dueAt.filter((at) => at > now);
    const ms = Math.min(LOOK_EVERY_MS, ...dueAt.map((at) => at - now));
    if (isAwake) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.ceil(ms));
      wake = () => {
        clearTimeout(timer);
        isAwake = true;
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      isAwake = false;
      const isAny = await fill().catch((error: unknown) => {
        onError(error);
        return true;
      });
      if (!isAny && underWay.size === 0) for (const tell of idleWaiters.splice(0)) tell();
      await rest();
    }
    await Promise.all(underWay);
  }
  const running = run();

  return {
    /** Resolves at the next look that finds nothing due and nothing under way. */
    idle: () => new Promise<void>((resolve) => idleWaiters.push(resolve)),
    /** Takes nothing more and waits for what is under way. */
    async close(): Promise<void> {
      closing.abort();
      wake();
      await running;
    },
  };
}
