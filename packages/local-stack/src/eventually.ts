import { setTimeout as delay } from 'node:timers/promises';

export interface EventuallyOptions {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * Asks again until the fact holds and returns it: no guess at how long something takes, only a bound on it. The fact
 * holds when `fact` returns something other than false, null or undefined without throwing.
 */
export async function eventually<T>(
  fact: () => T | Promise<T>,
  { withinMs = 180_000, everyMs = 25 }: EventuallyOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + withinMs; // some tests set the other clock
  for (;;) {
    let last: unknown;
    try {
      const value = await fact();
      if (value !== false && value !== null && value !== undefined) {
        return value as Exclude<T, false | null | undefined>;
      }
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= deadline) {
      const seen = last instanceof Error ? last.message : String(last);
      throw new Error(`this did not come true within ${withinMs} ms; last seen: ${seen}`);
    }
    await delay(everyMs);
  }
}
