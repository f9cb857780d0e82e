import { runEntry } from './run-entry.js';

/** Applies what is missing and returns the names. */
export async function migrate(databaseUrl: string): Promise<readonly string[]> {
  const { applied } = await runEntry<{ applied: string[] }>(
    'packages/db/dist/src/migrate-main.js',
    { DATABASE_URL: databaseUrl },
    'The database could not be migrated.',
  );
  return applied;
}
