import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { createMigrationAdapter } from './migration-adapter.js';
import { findPrismaDirectory } from './prisma-directory.js';
import { createSchemaEngine } from './schema-engine.js';

export const PRISMA_DIR = findPrismaDirectory();

/** Any number will do, as long as nobody else in this database uses it: one migration runs at a time. */
const LOCK = 7_211_005;

/** Applies what `prisma/migrations` has and the database has not; returns the names, in order. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  const adapter = createMigrationAdapter(databaseUrl, client);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const engine = await createSchemaEngine(adapter.factory, join(PRISMA_DIR, 'schema.prisma'));
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(),
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  } finally {
    await adapter.close();
    await client.end();
  }
}

/** Names of the migrations that this build expects. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(join(PRISMA_DIR, 'migrations'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

async function readMigrations() {
  const baseDir = join(PRISMA_DIR, 'migrations');
  const names = await migrationNames();
  const migrationDirectories = await Promise.all(
    names.map(async (path) => ({
      path,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(baseDir, path, 'migration.sql'), 'utf8') },
      },
    })),
  );
  const lockfile = {
    path: 'migration_lock.toml',
    content: await readFile(join(baseDir, 'migration_lock.toml'), 'utf8'),
  };
  return { baseDir, lockfile, shadowDbInitScript: '', migrationDirectories };
}
