import { setTimeout as delay } from 'node:timers/promises';

type Nothing = false | null | undefined;

/** A long wait asks less and less often, because the processor is better spent on what it waits for. */
const [FIRST_MS, LAST_MS, GROWTH] = [25, 200, 1.1];

/**
 * Calls `fact` until it returns something other than false, null or undefined, and returns that. Tests wait with it
 * instead of guessing how long something takes. Pass `everyMs` to see a state that soon passes.
 */
export async function eventually<T>(
  fact: () => T | Promise<T>,
  { withinMs = 180_000, everyMs }: { readonly withinMs?: number; readonly everyMs?: number } = {},
): Promise<Exclude<T, Nothing>> {
  const deadline = performance.now() + withinMs; // some tests set the other clock
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LAST_MS)) {
    let seen: unknown;
    try {
      seen = await fact();
      if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<T, Nothing>;
    } catch (error) {
      seen = error instanceof Error ? error.message : error;
    }
    if (performance.now() >= deadline)
      throw new Error(`this did not come true within ${withinMs} ms; last seen: ${seen}`);
    await delay(everyMs ?? pauseMs);
  }
}
