import type { Admission } from '@verdict/admission/admission.js';
import {
  eraseDeletedJobs,
  expireBulkJobs,
  failSilentUploads,
  quotaPausedJobs,
  resumeBulkJob,
} from '@verdict/db/bulk-upkeep.js';
import type { Database } from '@verdict/db/client.js';
import type { Duty } from '@verdict/metering/run-duties.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { leftOf } from './run-chunk.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What bulk jobs need from time to time. */
export function createBulkDuties(
  db: Database,
  admission: Pick<Admission, 'look'>,
  log: Logger,
  resumeEveryMs = MINUTE_MS,
): Duty[] {
  return [
    {
      name: 'bulk-resume',
      everyMs: resumeEveryMs,
      /** A new month has begun, or the plan is larger: jobs that the quota stopped go on. */
      async run() {
        for (const { id, account_id: accountId, key_id: keyId } of await quotaPausedJobs(db)) {
          const caller = { accountId, keyId, credential: keyId };
          const seen = await admission.look({ caller, count: 1, once: null, scope: 'check' });
          const hasRoom = seen.account !== undefined && leftOf(seen.account) > 0;
          if (hasRoom && (await resumeBulkJob(db, id))) log.info({ jobId: id }, 'bulk job goes on');
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
