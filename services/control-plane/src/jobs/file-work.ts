import { JOB_CODES } from '@verdict/contracts/jobs-api.js';
import { failFile, readFileParts, type TakenFile, takeStoredFile } from '@verdict/db/bulk/bulk-file.js';
import { finishUpload } from '@verdict/db/bulk/bulk-upload.js';
import type { Database } from '@verdict/db/database/client.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { Work } from '@verdict/db/work/run-work.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { storeUpload } from './store-upload.js';

/** How long a file is left alone after a failure of ours. */
const RETRY_MS = 5_000;
const FILE_FAULTS = new Set<string>([
  JOB_CODES.unreadableFile,
  JOB_CODES.noEmailColumn,
  JOB_CODES.tooManyRows,
]);

/** Parses stored files. Another process continues the file of one that died behind its last stored row. */
export const fileWork = (db: Database, log: Logger): Work<TakenFile> => ({
  queue: QUEUES.files,
  take: () => takeStoredFile(db),
  async run(taken, closing) {
    const { id: jobId, totals: before, ...kind } = taken;
    async function* source(): AsyncGenerator<Uint8Array> {
      for await (const bytes of readFileParts(db, taken)) {
        closing.throwIfAborted();
        yield bytes;
      }
    }
    try {
      const { layout, totals } = await storeUpload(db, { ...kind, jobId, source: source(), before });
      await finishUpload(db, jobId, layout, totals);
      return null;
    } catch (error) {
      if (error instanceof AppError && FILE_FAULTS.has(error.code)) {
        await failFile(db, jobId, { code: error.code, because: error.message });
        return null;
      }
      log.warn({ jobId, cause: messageOf(error) }, 'a file will be parsed again');
      return closing.aborted ? 0 : RETRY_MS;
    }
  },
  giveUp: ({ id }) => failFile(db, id, { code: null, because: 'The file could not be read.' }),
});
