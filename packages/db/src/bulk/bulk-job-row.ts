import { JOB_FORMATS, JOB_STATUSES, PAUSE_REASONS } from '@verdict/contracts/jobs-api.js';
import { float, int, nullable, oneOf, type RowOf, text } from '../database/columns.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** How the file of a job was written; results are written alike. */
export interface FileLayout {
  readonly columns: readonly string[];
  /** Position of the addresses among the columns; null where nothing was read. */
  readonly column: number | null;
  /** Positions of further columns that look like addresses; jobs of earlier releases have none. */
  readonly others?: readonly number[];
  readonly delimiter: string;
  readonly bom: boolean;
}

/** A job as its account sees it. */
export const BulkJobRow = {
  id: text,
  key_id: text,
  name: nullable(text),
  status: oneOf(...JOB_STATUSES),
  paused_because: nullable(oneOf(...PAUSE_REASONS)),
  failed_because: nullable(text),
  failed_code: nullable(text),
  format: oneOf(...JOB_FORMATS),
  /** FileLayout as JSON. */
  layout: text,
  rows: int,
  malformed: int,
  addresses: int,
  done: int,
  allowed: int,
  challenged: int,
  reviewed: int,
  blocked: int,
  unknown: int,
  created_at: text,
  started_at: nullable(text),
  finished_at: nullable(text),
  expires_at: text,
  /** How long an address has taken lately; null before the first chunk is done. */
  address_ms: nullable(float),
  /** Rounds of asking DNS again that are over, and addresses that wait for its answer; null before and after. */
  again_round: int,
  again_left: nullable(int),
  /** Jobs that run on the same key and share its rate. */
  running_beside: int,
};
export type BulkJobRow = RowOf<typeof BulkJobRow>;

/** Names of columns that are longer were accepted by earlier releases; a listing leaves them out. */
const LISTED_LAYOUT_MAX = 64 * 1024;

/** The columns of a BulkJobRow, of the table by its name. */
const shown = (layout: Prisma.Sql): Prisma.Sql => Prisma.sql`
  bulk_jobs.id, bulk_jobs.key_id, bulk_jobs.name, bulk_jobs.status, paused_because, failed_because, failed_code, format,
  ${layout}, rows, malformed, addresses, done, allowed, challenged, reviewed, blocked, unknown,
  ${timestampText('bulk_jobs.created_at')} AS created_at, ${timestampText('started_at')} AS started_at,
  ${timestampText('finished_at')} AS finished_at, ${timestampText('expires_at')} AS expires_at,
  address_ms::float8 AS address_ms, again_round,
  CASE WHEN bulk_jobs.status IN ('running', 'paused') AND done = addresses THEN (
    SELECT count(*)::int FROM bulk_addresses a
    WHERE a.job_id = bulk_jobs.id AND a.unknown AND a.log_id IS NULL) END AS again_left,
  (SELECT count(*)::int FROM bulk_jobs beside
   WHERE beside.key_id = bulk_jobs.key_id AND beside.status = 'running' AND beside.id <> bulk_jobs.id) AS running_beside`;

export const BULK_JOB_SHOWN = shown(Prisma.sql`layout`);
export const BULK_JOB_LISTED = shown(Prisma.sql`
  CASE WHEN octet_length(layout) <= ${LISTED_LAYOUT_MAX} THEN layout ELSE '{}' END AS layout`);
