import { runEntry } from './run-entry.js';

/** Applies what is missing and returns the names. `roles` are the addresses of the services' own roles, where they have some. */
export async function migrate(
  databaseUrl: string,
  roles: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { applied } = await runEntry<{ applied: string[] }>(
    'packages/db/dist/src/migrate-main.js',
    { DATABASE_URL: databaseUrl, ...roles },
    'The database could not be migrated.',
  );
  return applied;
}
