/** One submitted item and its answer. Answering twice is harmless: the first answer counts. */
export interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  settled: boolean;
}

export interface BatcherOptions<Item, Result> {
  /**
   * Sends one batch and settles each of its entries. Resolves when the next batch may go; if it rejects, the unsettled
   * entries of this batch get that error.
   */
  readonly send: (entries: readonly Entry<Item, Result>[]) => Promise<void>;
  readonly batchMax: number;
  /** The part of batchMax that an item takes; 1 when left out. A larger one leaves alone. */
  readonly weightOf?: (item: Item) => number;
  /** Concurrent batches; read for every batch, because replicas come and go. */
  readonly inFlightMax: () => number;
  /** Items waiting beyond this are refused: a queue without a bound is an outage with a delay. */
  readonly waitingMax: number;
  readonly onBatch?: (size: number) => void;
}

/** Thrown to a caller whose item was never sent. */
export class BatcherFull extends Error {
  override name = 'BatcherFull';
}

export interface NaturalBatcher<Item, Result> {
  submit(item: Item): Promise<Result>;
  /** The same for an entry of the caller's own, without a promise. */
  push(entry: Entry<Item, Result>): void;
  /** Resolves when nothing is queued or in flight. */
  drained(): Promise<void>;
}

/**
 * Natural batching: when idle, an item leaves in the same turn of the event loop; while a batch is in flight, items
 * gather and leave together when it returns. An idle system adds no delay, a busy one pays per batch.
 */
export function createNaturalBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): NaturalBatcher<Item, Result> {
  const { send, batchMax, weightOf, inFlightMax, waitingMax, onBatch } = options;
  let waiting: Entry<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  let drainWaiters: (() => void)[] = [];

  // setImmediate runs once the sockets that are readable now have been read: requests that arrived together leave
  // together, and a lone one still leaves in this turn.
  function schedule(): void {
    if (scheduled || inFlight >= inFlightMax() || waiting.length === 0) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    while (waiting.length > 0 && inFlight < inFlightMax()) {
      const count = countOfNext();
      const batch = waiting.length === count ? waiting : waiting.slice(0, count);
      waiting = batch === waiting ? [] : waiting.slice(count);
      inFlight++;
      onBatch?.(batch.length);
      void sendBatch(batch);
    }
  }

  function countOfNext(): number {
    const most = Math.min(waiting.length, batchMax);
    if (!weightOf || most === 1) return most;
    let weight = 0;
    for (let i = 0; i < most; i++) {
      weight += weightOf((waiting[i] as Entry<Item, Result>).item);
      if (weight > batchMax) return Math.max(1, i);
    }
    return most;
  }

  async function sendBatch(batch: readonly Entry<Item, Result>[]): Promise<void> {
    try {
      await send(batch);
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
    inFlight--;
    schedule();
    if (inFlight === 0 && waiting.length === 0) {
      const waiters = drainWaiters;
      drainWaiters = [];
      for (const wake of waiters) wake();
    }
  }

  function push(entry: Entry<Item, Result>): void {
    if (waiting.length >= waitingMax) {
      entry.reject(new BatcherFull('too much is waiting'));
      return;
    }
    waiting.push(entry);
    schedule();
  }

  return {
    push,
    submit: (item) =>
      new Promise<Result>((resolve, reject) => {
        const entry: Entry<Item, Result> = {
          item,
          settled: false,
          resolve(result) {
            entry.settled = true;
            resolve(result);
          },
          reject(error) {
            entry.settled = true;
            reject(error);
          },
        };
        push(entry);
      }),
    async drained() {
      if (inFlight === 0 && waiting.length === 0) return;
      await new Promise<void>((resolve) => drainWaiters.push(resolve));
    },
  };
}
