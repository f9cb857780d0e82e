const FIRST = 8;
const MIN = 4;

/** How a request ended: well in time, in time, without an answer in time, or in a way that says nothing about speed. */
export type Pace = 'prompt' | 'slow' | 'late' | 'unknown';

/**
 * Semaphore with a FIFO queue and an adaptive limit (AIMD). It starts small, grows to `max` with prompt answers and halves after a
 * time-out: on a starved machine concurrent requests make each other late.
 */
export interface Places {
  /** Whether the next one has to wait. */
  isFull(): boolean;
  /** Waits for a place; false when the signal fires first. */
  take(signal: AbortSignal): Promise<boolean>;
  release(pace: Pace): void;
}

export function createPlaces(max: number): Places {
  let limit = Math.min(FIRST, max);
  let taken = 0;
  let wasLate = false;
  const waiting = new Set<() => void>();
  const isFull = () => taken >= limit;
  return {
    isFull,
    async take(signal) {
      if (signal.aborted) return false;
      if (!isFull()) {
        taken++;
        return true;
      }
      return new Promise((resolve) => {
        const enter = () => {
          signal.removeEventListener('abort', leave);
          resolve(true);
        };
        const leave = () => {
          waiting.delete(enter);
          resolve(false);
        };
        waiting.add(enter);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
    release(pace) {
      taken--;
      if (pace === 'prompt') limit = Math.min(max, limit + (wasLate ? 1 / limit : 1));
      if (pace === 'late') {
        wasLate = true;
        limit = Math.max(Math.min(MIN, max), limit / 2);
      }
      for (const next of waiting) {
        if (isFull()) return;
        waiting.delete(next);
        taken++;
        next();
      }
    },
  };
}
