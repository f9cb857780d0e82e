import { JOB_CODES } from '@verdict/contracts/jobs-api.js';
import {
  failFile,
  putBackFile,
  readFileParts,
  type TakenFile,
  takeStoredFile,
} from '@verdict/db/bulk/bulk-file.js';
import { finishUpload } from '@verdict/db/bulk/bulk-upload.js';
import type { Database } from '@verdict/db/database/client.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { storeUpload } from './store-upload.js';

interface Options {
  readonly db: Database;
  readonly log: Logger;
  /** Ends parsing between two parts of a file. */
  readonly signal: AbortSignal;
}

/** How long a file is left alone after a failure of ours. */
const RETRY_SECONDS = 5;
const FILE_FAULTS = new Set<string>([
  JOB_CODES.unreadableFile,
  JOB_CODES.noEmailColumn,
  JOB_CODES.tooManyRows,
]);

/** Parses stored files one by one until none is left. */
export async function parseFiles(options: Options): Promise<void> {
  while (!options.signal.aborted) {
    const file = await takeStoredFile(options.db);
    if (!file) return;
    await parseFile(options, file);
  }
}

async function parseFile({ db, log, signal }: Options, taken: TakenFile): Promise<void> {
  const { jobId, totals: before, ...kind } = taken;
  async function* source(): AsyncGenerator<Uint8Array> {
    for await (const bytes of readFileParts(db, taken)) {
      signal.throwIfAborted();
      yield bytes;
    }
  }
  try {
    const { layout, totals } = await storeUpload(db, { ...kind, jobId, source: source(), before });
    await finishUpload(db, jobId, layout, totals);
  } catch (error) {
    if (error instanceof AppError && FILE_FAULTS.has(error.code))
      return failFile(db, jobId, { code: error.code, because: error.message });
    await putBackFile(db, taken, signal.aborted ? 0 : RETRY_SECONDS);
    log.warn({ jobId, cause: messageOf(error) }, 'a file will be parsed again');
  }
}
