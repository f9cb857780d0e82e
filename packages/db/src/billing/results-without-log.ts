import type { Database } from '../database/client.js';
import { type RowOf, text } from '../database/columns.js';
import { patiently } from '../database/patiently.js';
import { rowsOf } from '../database/rows-of.js';
import { instant } from '../database/sql-timestamp.js';
import type { Hours } from './usage-differences.js';

const ResultWithoutLog = { accountId: text, logId: text };
export type ResultWithoutLog = RowOf<typeof ResultWithoutLog>;

const DAY_MS = 86_400_000;

/**
 * Results of files, checked in these hours, whose log id has no row. A day more on either side, because Postgres dates jobs
 * and Redis dates checks.
 */
export function resultsWithoutLog(db: Database, { start, end }: Hours): Promise<ResultWithoutLog[]> {
  const [before, after] = [new Date(start.getTime() - DAY_MS), new Date(end.getTime() + DAY_MS)];
  const query = rowsOf(db, ResultWithoutLog)`
    SELECT j.account_id AS "accountId", a.log_id AS "logId"
    FROM bulk_jobs j JOIN bulk_addresses a ON a.job_id = j.id
    WHERE coalesce(j.started_at, j.created_at) < ${instant(after)} AND (j.finished_at IS NULL OR j.finished_at >= ${instant(before)})
      AND a.log_id IS NOT NULL AND a.checked_at >= ${instant(start)} AND a.checked_at < ${instant(end)}
      AND NOT EXISTS (
        SELECT FROM check_logs l
        WHERE l.id = a.log_id AND l.created_at >= ${instant(before)} AND l.created_at < ${instant(after)})
    ORDER BY 1, 2`;
  return patiently(db, query);
}
