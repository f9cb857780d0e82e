import { Worker } from 'node:worker_threads';
import type { UpdateReport } from './update-datasets.js';
import type { UpdateSettings } from './update-settings.js';

/** Updates in a thread, because building takes seconds of CPU that would block the event loop of a service. */
export function updateInThread(settings: UpdateSettings, directory: string): Promise<UpdateReport> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./update-thread.js', import.meta.url), {
      workerData: { settings: { ...settings }, directory },
    });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the update ended without a report')));
  });
}
