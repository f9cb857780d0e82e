import type { KeyObject } from 'node:crypto';
import type { Release } from '../releases/release-index.js';
import { createReleaseStore } from '../releases/release-store.js';
import { withLock } from './lock.js';
import { readState, writeState } from './update-state.js';

/** Makes an older release current and holds the schedule: tomorrow's update would only bring the same data back. */
export function rollBack(
  directory: string,
  wanted: string | undefined,
  key: KeyObject | undefined,
  now = new Date(),
): Promise<Release> {
  return withLock(directory, async () => {
    const release = await createReleaseStore(directory, key).rollBack(wanted, now);
    await writeState(directory, { ...(await readState(directory)), held_since: now.toISOString() });
    return release;
  });
}
