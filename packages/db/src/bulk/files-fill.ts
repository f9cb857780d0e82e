import type { Database } from '../database/client.js';
import { bool } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** Whether the files of an account take what its plan stores. */
export async function filesFill(db: Database, accountId: string, keptBytesMax: number): Promise<boolean> {
  const [held] = await rowsOf(db, { is_full: bool })`
    SELECT coalesce(sum(bytes), 0) >= ${keptBytesMax} AS is_full FROM bulk_jobs
    WHERE account_id = ${accountId} AND status <> 'expired'`;
  return held?.is_full ?? false;
}
