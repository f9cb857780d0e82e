import type { Database } from './client.js';
import { int8 } from './columns.js';
import { rowsOf } from './rows-of.js';

/** The size of the database on disk, without the write-ahead log. */
export async function databaseBytes(db: Database): Promise<number> {
  const rows = await rowsOf(db, { bytes: int8 })`SELECT pg_database_size(current_database()) AS bytes`;
  return Number(rows[0]?.bytes ?? 0);
}
