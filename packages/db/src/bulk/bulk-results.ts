import type { Decision } from '@verdict/contracts/decision.js';
import type { Database } from '../database/client.js';
import { Prisma } from '../generated/client.js';

export interface ResultFilter {
  readonly decisions?: readonly string[];
}

/** A row of the file and what became of its address. */
export interface BulkResultRow {
  row: number;
  /** As it was sent, as JSON; null once the person was erased. */
  cells: string | null;
  error: string | null;
  decision: Decision | null;
  risk_score: number | null;
  disposable_email: boolean | null;
  mx_valid: boolean | null;
  free_provider: boolean | null;
  reasons: string[] | null;
  log_id: string | null;
}

/** Rows behind a row, in the order of the file. Of a job that the caller was seen to own. */
export function readBulkResults(
  db: Database,
  jobId: string,
  { decisions }: ResultFilter,
  after: number,
  countMax: number,
): Promise<BulkResultRow[]> {
  const filter = decisions ? Prisma.sql`AND a.decision = ANY(${[...decisions]}::text[])` : Prisma.empty;
  return db.$queryRaw<BulkResultRow[]>`
    SELECT r.row, r.cells, r.error, a.decision, a.risk_score, a.disposable_email, a.mx_valid, a.free_provider,
      a.reasons, a.log_id
    FROM bulk_rows r LEFT JOIN bulk_addresses a ON a.job_id = r.job_id AND a.number = r.address
    WHERE r.job_id = ${jobId} AND r.row > ${after} ${filter}
    ORDER BY r.row LIMIT ${countMax}`;
}
