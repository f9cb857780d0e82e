import type { Admission } from '@verdict/admission/admission.js';
import {
  eraseDeletedJobs,
  expireBulkJobs,
  failSilentUploads,
  type QuotaPausedJob,
  quotaPausedJobs,
  resumeBulkJob,
} from '@verdict/db/bulk/bulk-upkeep.js';
import type { Database } from '@verdict/db/database/client.js';
import type { Duty } from '@verdict/metering/run-duties.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { leftOf } from './run-chunk.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What bulk jobs need from time to time. */
export function createBulkDuties(db: Database, admission: Pick<Admission, 'look'>, log: Logger): Duty[] {
  async function resumeWhenRoom({ id, account_id, key_id }: QuotaPausedJob): Promise<void> {
    const caller = { accountId: account_id, keyId: key_id, credential: key_id };
    const { account } = await admission.look({ caller, count: 1, once: null, scope: 'check' });
    if (account === undefined || leftOf(account) <= 0) return;
    if (await resumeBulkJob(db, id)) log.info({ jobId: id }, 'bulk job goes on');
  }

  return [
    {
      name: 'bulk-resume',
      everyMs: MINUTE_MS,
      /** A new month has begun, or the plan is larger: jobs that the quota stopped go on. */
      async run() {
        for (const job of await quotaPausedJobs(db)) {
          // One account that Redis has lost must not hold up the others.
          await resumeWhenRoom(job).catch((error: unknown) =>
            log.warn({ jobId: job.id, cause: messageOf(error) }, 'bulk job could not be looked at'),
          );
        }
      },
    },
    {
      name: 'bulk-upkeep',
      everyMs: HOUR_MS,
      async run() {
        const failed = await failSilentUploads(db);
        const expired = await expireBulkJobs(db);
        await eraseDeletedJobs(db);
        if (failed + expired > 0) log.info({ failed, expired }, 'bulk jobs ended');
      },
    },
  ];
}
