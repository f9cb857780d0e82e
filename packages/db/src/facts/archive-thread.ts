import { parentPort, workerData } from 'node:worker_threads';
import { withConnection } from '../database/with-connection.js';
import { archiveClosedDays } from './archive-closed-days.js';
import { ArchivedElsewhere } from './archive-day.js';
import type { ArchiveThreadData } from './archive-in-thread.js';

const { databaseUrl, ...options } = workerData as ArchiveThreadData;
try {
  await withConnection(databaseUrl, async (client) => {
    for await (const archived of archiveClosedDays(client, options)) parentPort?.postMessage(archived);
  });
} catch (error) {
  // The other one does the work.
  if (!(error instanceof ArchivedElsewhere)) throw error;
}
