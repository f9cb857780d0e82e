import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Far longer than any update may take: the holder of an older lock has died. */
const STALE_MS = 30 * 60_000;

/** Runs with the folder to itself; the schedule of the workers and an operator's hand may meet here. */
export async function withLock<T>(directory: string, run: () => Promise<T>): Promise<T> {
  const path = join(directory, '.lock');
  await mkdir(directory, { recursive: true });
  await removeStale(path);
  const lock = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new Error(`another update of ${directory} is under way`);
    throw error;
  });
  try {
    return await run();
  } finally {
    await lock.close();
    await rm(path, { force: true });
  }
}

async function removeStale(path: string): Promise<void> {
  const held = await stat(path).catch(() => undefined);
  if (held !== undefined && Date.now() - held.mtimeMs > STALE_MS) await rm(path, { force: true });
}
