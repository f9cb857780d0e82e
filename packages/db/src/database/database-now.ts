import type { Database } from './client.js';

/** The clock of Postgres, in milliseconds. */
export async function databaseNow(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<{ ms: number }[]>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  if (!row) throw new Error('Postgres did not say what time it is');
  return Math.floor(row.ms);
}
