import type { Database } from './client.js';
import { bool, text } from './columns.js';
import { migrationNames } from './migrate.js';
import { rowsOf } from './rows-of.js';

/** Migrations that this build expects and the database has not finished. */
export async function missingMigrations(db: Database): Promise<string[]> {
  const expected = await migrationNames();
  const [{ present } = { present: false }] = await rowsOf(db, { present: bool })`
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`;
  if (!present) return expected;
  const rows = await rowsOf(db, { migration_name: text })`
    SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const applied = new Set(rows.map((row) => row.migration_name));
  return expected.filter((name) => !applied.has(name));
}
