import { Worker } from 'node:worker_threads';
import type { ArchivedMonth, ArchiveOptions } from './archive-facts.js';

export interface ArchiveThreadData extends Omit<ArchiveOptions, 'month'> {
  readonly databaseUrl: string;
}

/**
 * Archives closed days in a thread, because compressing them takes seconds of CPU that would block the event loop of a
 * service. The signal ends it where it is, and the next run continues.
 */
export function archiveInThread(
  data: ArchiveThreadData,
  signal: AbortSignal,
  onArchived: (archived: ArchivedMonth) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve();
    const thread = new Worker(new URL('./archive-thread.js', import.meta.url), { workerData: data });
    const stop = () => void thread.terminate();
    signal.addEventListener('abort', stop, { once: true });
    thread.on('message', onArchived);
    thread.once('error', reject);
    thread.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      if (code === 0 || signal.aborted) resolve();
      else reject(new Error(`the archive ended with exit code ${code}`));
    });
  });
}
