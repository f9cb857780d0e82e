import { setTimeout as pause } from 'node:timers/promises';

const DEADLINE_MS = 10_000;

/** Asks again until it is so. Failures count as "not yet"; the last one is told when time is up. */
export async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      if (await condition()) return;
    } catch (error) {
      last = error;
    }
    await pause(20);
  }
  throw new Error('it did not become so in time', { cause: last });
}
