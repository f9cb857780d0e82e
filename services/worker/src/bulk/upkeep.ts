import type { Admission } from '@verdict/admission/admission.js';
import {
  eraseDeletedJobs,
  expireBulkJobs,
  failSilentUploads,
  quotaPausedJobs,
  resumeBulkJob,
} from '@verdict/db/bulk/bulk-upkeep.js';
import { agreedNow } from '@verdict/metering/agreed-now.js';
import type { Metering } from '@verdict/metering/metering.js';
import type { ScheduledTask } from '@verdict/metering/run-tasks.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { leftOf } from './run-chunk.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Regular maintenance of bulk jobs. */
export function createBulkTasks(
  stores: Pick<Metering, 'db' | 'redis'>,
  admission: Pick<Admission, 'look'>,
  log: Logger,
): ScheduledTask[] {
  const { db } = stores;
  async function resumeWhenRoom(id: string, accountId: string, keyId: string): Promise<void> {
    const caller = { accountId, keyId, credential: keyId };
    const { account } = await admission.look({ caller, count: 1, once: null, scope: 'check' });
    if (account === undefined || leftOf(account) <= 0) return;
    if (await resumeBulkJob(db, id)) log.info({ jobId: id }, 'bulk job resumes');
  }

  return [
    {
      name: 'bulk-resume',
      everyMs: MINUTE_MS,
      /** Resumes jobs that the quota paused, after a new month or an upgrade. */
      async run() {
        for (const { id, accountId, keyId } of await quotaPausedJobs(db)) {
          // One account missing in Redis must not delay the others.
          await resumeWhenRoom(id, accountId, keyId).catch((error: unknown) =>
            log.warn({ jobId: id, cause: messageOf(error) }, 'bulk job could not be looked at'),
          );
        }
      },
    },
    {
      name: 'bulk-upkeep',
      everyMs: HOUR_MS,
      async run() {
        // Nothing that deletes files runs while one of two clocks is wrong.
        const now = new Date(await agreedNow(stores));
        const failed = await failSilentUploads(db);
        const expired = await expireBulkJobs(db, now);
        await eraseDeletedJobs(db);
        if (failed + expired > 0) log.info({ failed, expired }, 'bulk jobs ended');
      },
    },
  ];
}
