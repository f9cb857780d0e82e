const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal aborts, and returns a function that takes it back. All calls share one listener, so that a
 * server's shutdown signal draws no warning about too many.
 */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  let stops = waiting.get(signal);
  if (!stops) {
    const all = new Set<() => void>();
    signal.addEventListener(
      'abort',
      () => {
        for (const each of all) each();
      },
      { once: true },
    );
    waiting.set(signal, all);
    stops = all;
  }
  const own = stops;
  own.add(stop);
  return () => own.delete(stop);
}
