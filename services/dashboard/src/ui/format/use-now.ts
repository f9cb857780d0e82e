import { useSyncExternalStore } from 'react';

const EVERY_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();

setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, EVERY_MS);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** One clock for the page, so that "3 min ago" grows old everywhere at once. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);
