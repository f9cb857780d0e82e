import type { Database } from '../database/client.js';
import { int8 } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** Returns the bytes on disk that all kept files, their rows and addresses take, with their indexes. */
export async function bulkStoreBytes(db: Database): Promise<number> {
  const rows = await rowsOf(db, { bytes: int8 })`
    SELECT pg_total_relation_size('bulk_files') + pg_total_relation_size('bulk_rows')
      + pg_total_relation_size('bulk_addresses') AS bytes`;
  return Number(rows[0]?.bytes ?? 0);
}
