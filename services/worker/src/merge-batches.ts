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
  /** Callers there can be at once: when all of them wait, nobody else can come. */
  readonly callersMax: number;
  /** How long the first of a batch waits for company. Nobody waits for an answer here, and every statement costs. */
  readonly lingerMs: number;
}

/** Gathers what comes within a moment, or until it is enough, and writes it together. */
export function mergeBatches<T>(
  write: (items: readonly T[]) => Promise<void>,
  { writersMax, itemsMax, callersMax, lingerMs }: Limits,
): (items: readonly T[]) => Promise<void> {
  const queue: Waiting<T>[] = [];
  let waitingItems = 0;
  let writing = 0;
  let linger: NodeJS.Timeout | null = null;

  const schedule = (): void => {
    if (queue.length === 0) return;
    if (waitingItems >= itemsMax || queue.length >= callersMax) void next();
    else linger ??= setTimeout(() => void next(), lingerMs);
  };

  const next = async (): Promise<void> => {
    if (linger) clearTimeout(linger);
    linger = null;
    if (writing >= writersMax || queue.length === 0) return;
    writing += 1;
    const batch = takeBatch(queue, itemsMax);
    const items = batch.flatMap((waiting) => waiting.items);
    waitingItems -= items.length;
    try {
      await write(items);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      writing -= 1;
      schedule();
    }
  };

  return (items) =>
    new Promise((resolve, reject) => {
      queue.push({ items, resolve, reject });
      waitingItems += items.length;
      schedule();
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
