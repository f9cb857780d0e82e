import type { Database } from './client.js';
import { float } from './columns.js';
import { rowsOf } from './rows-of.js';

/** The clock of Postgres, in milliseconds. */
export async function databaseNow(db: Database): Promise<number> {
  const [row] = await rowsOf(db, { ms: float })`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  if (!row) throw new Error('Postgres did not say what time it is');
  return Math.floor(row.ms);
}
