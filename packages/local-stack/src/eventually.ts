import { setTimeout as delay } from 'node:timers/promises';

type Nothing = false | null | undefined;

/**
 * Calls `fact` until it returns something other than false, null or undefined, and returns that. Tests wait with it
 * instead of guessing how long something takes.
 */
export async function eventually<T>(
  fact: () => T | Promise<T>,
  { withinMs = 180_000, everyMs = 25 }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<Exclude<T, Nothing>> {
  const deadline = performance.now() + withinMs; // some tests set the other clock
  for (;;) {
    let seen: unknown;
    try {
      seen = await fact();
      if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<T, Nothing>;
    } catch (error) {
      seen = error instanceof Error ? error.message : error;
    }
    if (performance.now() >= deadline)
      throw new Error(`this did not come true within ${withinMs} ms; last seen: ${seen}`);
    await delay(everyMs);
  }
}
