import { JOB_CODES } from '@verdict/contracts/jobs-api.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { type RowsLimit, tooManyRows } from './job-errors.js';
import { type FileKind, openFile } from './open-file.js';

/** Faults of rows that were read whole. */
const CERTAIN = new Set<string>([JOB_CODES.noEmailColumn, JOB_CODES.tooManyRows]);

/** Throws what is wrong with a file as far as its beginning shows it, such as its kind, its encoding or its columns. */
export async function checkHead(
  head: readonly Uint8Array[],
  kind: FileKind,
  limit: RowsLimit,
): Promise<void> {
  let isOver = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* head;
    isOver = true;
  }
  let rows = 0;
  try {
    for await (const _ of openFile(source(), kind).file.rows)
      if (++rows > limit.rowsMax) throw tooManyRows(limit);
  } catch (error) {
    // The beginning may end within a row, a quote or a letter of a file that is right.
    if (!isOver || !(error instanceof AppError) || CERTAIN.has(error.code)) throw error;
  }
}
