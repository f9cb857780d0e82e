interface Waiting<T> {
  readonly items: readonly T[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Limits {
  /** Batches that may be written at the same time. */
  readonly writersMax: number;
  /** Items at which a batch is full; a single caller's items are never split. */
  readonly itemsMax: number;
}

/**
 * Natural batching: while nothing is being written, write at once; while something is, gather; when it returns, write
 * all that gathered. An idle worker adds no delay, a busy one pays per batch, and a small job costs no round trip.
 */
export function mergeBatches<T>(
  write: (items: readonly T[]) => Promise<void>,
  { writersMax, itemsMax }: Limits,
): (items: readonly T[]) => Promise<void> {
  const queue: Waiting<T>[] = [];
  let writing = 0;

  const next = async (): Promise<void> => {
    if (writing >= writersMax || queue.length === 0) return;
    writing += 1;
    const batch = takeBatch(queue, itemsMax);
    try {
      await write(batch.flatMap(({ items }) => items));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      writing -= 1;
      void next();
    }
  };

  return (items) =>
    new Promise((resolve, reject) => {
      queue.push({ items, resolve, reject });
      void next();
    });
}

function takeBatch<T>(queue: Waiting<T>[], itemsMax: number): Waiting<T>[] {
  let end = 0;
  let items = 0;
  while (end < queue.length) {
    items += queue[end]?.items.length ?? 0;
    if (end > 0 && items > itemsMax) break;
    end += 1;
  }
  return queue.splice(0, end);
}
