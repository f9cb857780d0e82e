import { JOB_CODES } from '@verdict/contracts/jobs-api.js';
import { AppError } from '@verdict/service-kit/app-error.js';

export const unsupportedFile = (): AppError =>
  new AppError(
    415,
    'unsupported_media_type',
    'Send the file as text/csv, application/x-ndjson or application/json, plain or gzipped, or as multipart/form-data.',
  );
export const unreadableFile = (why: string, cause?: unknown): AppError =>
  new AppError(400, JOB_CODES.unreadableFile, `The file cannot be read: ${why}.`, { cause });

const MB = 1024 * 1024;
const HEADERS_SHOWN_MAX = 20;
const HEADER_CHARS_MAX = 60;

/** Names what was found instead: the column is usually there, under another name. */
export function noEmailColumn(headers: readonly string[]): AppError {
  const shown = headers
    .slice(0, HEADERS_SHOWN_MAX)
    .map((header) => header.slice(0, HEADER_CHARS_MAX).replace(/[\p{Cc}\p{Cs}]/gu, ' '));
  const rest = headers.length > shown.length ? ` and ${headers.length - shown.length} more` : '';
  const found = `found ${shown.map((header) => `"${header}"`).join(', ')}${rest}`;
  return new AppError(
    400,
    JOB_CODES.noEmailColumn,
    `No column of email addresses: ${found}. Name the column with ?column=.`,
    { fields: [{ field: 'column', message: found }], extra: { columns: shown } },
  );
}

/** How many rows the plan allows a file, and where a larger plan is to be had. */
export interface RowsLimit {
  readonly rowsMax: number;
  readonly upgrade?: { readonly upgrade_url?: string };
}

export const tooManyRows = ({ rowsMax, upgrade }: RowsLimit): AppError =>
  new AppError(
    413,
    JOB_CODES.tooManyRows,
    `Your plan allows at most ${rowsMax.toLocaleString('en')} rows a file.`,
    { ...(upgrade && { extra: upgrade }) },
  );
export const tooManyJobs = (activeMax: number): AppError =>
  new AppError(
    429,
    JOB_CODES.tooManyJobs,
    `At most ${activeMax} jobs run or wait at a time. Wait for one to end, or cancel or delete one.`,
    { retryAfterSeconds: 60 },
  );
/** Files beyond what the plan stores; `upgrade` where a larger plan stores more. */
export const filesFull = (keptBytesMax: number, upgrade: { readonly upgrade_url?: string }): AppError =>
  new AppError(
    429,
    JOB_CODES.tooManyJobs,
    `Your files fill the ${(keptBytesMax / MB).toLocaleString('en')} MB that your plan stores. Delete jobs whose results you have.`,
    { retryAfterSeconds: 60, extra: upgrade },
  );
export const jobState = (status: string): AppError =>
  new AppError(409, JOB_CODES.jobState, `The job is ${status}; this is not possible now.`, {
    retryAfterSeconds: 5,
  });
export const rangeNotSatisfiable = (lengthBytes: number): AppError =>
  new AppError(
    416,
    'range_not_satisfiable',
    `The file has ${lengthBytes} bytes; the range is not within them.`,
    { headers: { 'content-range': `bytes */${lengthBytes}` } },
  );
