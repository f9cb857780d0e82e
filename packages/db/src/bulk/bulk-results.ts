import type { Database } from '../database/client.js';
import { bool, decision, int, list, nullable, type RowOf, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';
import { Prisma } from '../generated/client.js';

export interface ResultFilter {
  readonly decisions?: readonly string[];
  /** Rows without an address, or those whose address an earlier row has. */
  readonly kind?: 'invalid' | 'duplicate';
}

export interface ResultPage {
  /** The last row before it. */
  readonly after: number;
  readonly countMax: number;
  /** The most characters of its cells. Rows are as wide as their file, and a page is held in memory. */
  readonly bytesMax: number;
}

/** A row of the file and what became of its address. */
const BulkResultRow = {
  row: int,
  /** As it was sent, as JSON; null once the person was erased. */
  cells: nullable(text),
  error: nullable(text),
  decision: nullable(decision),
  risk_score: nullable(int),
  disposable_email: nullable(bool),
  mx_valid: nullable(bool),
  free_provider: nullable(bool),
  reasons: nullable(list(text)),
  log_id: nullable(text),
};
export type BulkResultRow = RowOf<typeof BulkResultRow>;

const KINDS = {
  invalid: Prisma.sql`AND r.error IS NOT NULL`,
  duplicate: Prisma.sql`AND EXISTS (SELECT FROM bulk_rows e
    WHERE e.job_id = r.job_id AND e.address = r.address AND e.row < r.row)`,
};

/**
 * Rows behind a row, in the order of the file, and as many as fit into a page: at least one, and fewer than asked for where
 * they are wide. Of a job that the caller was seen to own. In tables that were never analysed Postgres would read all rows
 * of the job for each page, and all of its addresses for each row: the comparison of pairs and OFFSET 0 lead it to the index.
 */
export function readBulkResults(
  db: Database,
  jobId: string,
  { decisions, kind }: ResultFilter,
  { after, countMax, bytesMax }: ResultPage,
): Promise<BulkResultRow[]> {
  const filter = decisions ? Prisma.sql`AND a.decision = ANY(${[...decisions]}::text[])` : Prisma.empty;
  const ofKind = kind ? KINDS[kind] : Prisma.empty;
  return rowsOf(db, BulkResultRow)`
    SELECT row, cells, error, decision, risk_score, disposable_email, mx_valid, free_provider, reasons, log_id
    FROM (
      SELECT f.*, sum(octet_length(cells)) OVER (ORDER BY row) - octet_length(cells) AS bytes_before
      FROM (
        SELECT r.row, r.cells, r.error, a.decision, a.risk_score, a.disposable_email, a.mx_valid, a.free_provider,
          a.reasons, a.log_id
        FROM bulk_rows r
        LEFT JOIN LATERAL (SELECT * FROM bulk_addresses WHERE job_id = r.job_id AND number = r.address OFFSET 0) a ON true
        WHERE (r.job_id, r.row) > (${jobId}, ${after}) AND r.job_id <= ${jobId} ${filter} ${ofKind}
        ORDER BY r.job_id, r.row LIMIT ${countMax}
      ) f
    ) w
    WHERE coalesce(bytes_before, 0) < ${bytesMax}
    ORDER BY row`;
}
