type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets so many run at once and so many wait; who comes after that is refused instead of queued for minutes. */
export function createTurns(atOnce: number, waitingMax: number, refusal: () => Error): Run {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw refusal();
      // The one who leaves hands its turn over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
