import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { assetPath } from '@verdict/domain/asset-path.js';
import { Client, DatabaseError } from 'pg';
import { clientRows } from './client-rows.js';
import { bool, text } from './columns.js';

const MIGRATIONS = assetPath('migrations');
const DEFINITIONS = assetPath('definitions');

/** Any number that is otherwise unused in this database: one migration runs at a time. */
const LOCK = 7_211_005;
const LOCK_EVERY_MS = 200;

/** The end of the names of migrations that run outside a transaction. */
const CONCURRENTLY = '_concurrently';

/** Indexes that an attempt to make them concurrently left behind; that of a partitioned table waits for those of its partitions. */
const HALF_MADE = `
  SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace`;

/** As Prisma makes it, so that `prisma migrate` works on top. */
const RECORD = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0
  )`;

/** Which text of each definition the database has; a schema of its own, because it is no table of ours that Prisma knows. */
const DEFINED = `
  CREATE SCHEMA IF NOT EXISTS "definitions";
  CREATE TABLE IF NOT EXISTS "definitions"."applied" ("name" TEXT PRIMARY KEY, "checksum" TEXT NOT NULL)`;

/**
 * Applies what `prisma/migrations` has and the database has not, then every function, trigger and view of
 * `prisma/definitions` whose text has changed; returns their names, in order.
 */
export async function migrate(
  databaseUrl: string,
  directory = MIGRATIONS,
  definitions = directory === MIGRATIONS ? DEFINITIONS : undefined,
): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await takeLock(client);
    await client.query(RECORD);
    // A migration that failed left nothing behind but this row, and may be tried again.
    await client.query(
      'UPDATE "_prisma_migrations" SET "rolled_back_at" = now() WHERE "finished_at" IS NULL AND "rolled_back_at" IS NULL',
    );
    const rows = await clientRows(
      client,
      { name: text },
      'SELECT "migration_name" AS name FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL',
    );
    const finished = new Set(rows.map(({ name }) => name));
    const missing = (await migrationNames(directory)).filter((name) => !finished.has(name));
    for (const name of missing) {
      const script = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      await (name.endsWith(CONCURRENTLY) ? applyStepwise : applyWhole)(client, name, script);
    }
    return definitions === undefined ? missing : [...missing, ...(await define(client, definitions))];
  } finally {
    await client.end();
  }
}

/** Asks again and again: a statement that waits holds a snapshot, and an index that is made concurrently waits for all of them. */
async function takeLock(client: Client): Promise<void> {
  for (;;) {
    const rows = await clientRows(client, { taken: bool }, 'SELECT pg_try_advisory_lock($1) AS taken', [
      LOCK,
    ]);
    if (rows[0]?.taken) return;
    await delay(LOCK_EVERY_MS);
  }
}

/** Names of the migrations that this build expects, in their order. */
export async function migrationNames(directory = MIGRATIONS): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The script and its record are one transaction: both, or nothing. */
async function applyWhole(client: Client, name: string, script: string): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(script);
    await record(client, name, script);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`${name} failed and changed nothing: ${wordsOf(error, script)}`, { cause: error });
  }
}

/**
 * Runs one statement after the other, outside a transaction, because Postgres makes no index concurrently inside one. Each
 * must bear repetition. Text that a statement returns in a column `run` is run too: a partitioned table needs one for each
 * of its partitions.
 */
async function applyStepwise(client: Client, name: string, script: string): Promise<void> {
  try {
    for (const { index } of await clientRows(client, { index: text }, HALF_MADE)) {
      await client.query(`DROP INDEX CONCURRENTLY ${index}`);
    }
    for (const statement of script.split(/;\s*$/m).filter((text) => text.trim() !== '')) {
      for (const { run } of await clientRows(client, { run: text }, statement)) {
        await client.query(run);
      }
    }
    await record(client, name, script);
  } catch (error) {
    throw new Error(`${name} failed, and can be repeated: ${wordsOf(error, script)}`, { cause: error });
  }
}

async function record(client: Client, name: string, script: string): Promise<void> {
  const checksum = createHash('sha256').update(script).digest('hex');
  await client.query(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/** All changed definitions are one transaction, in which a function may name another that comes after it. */
async function define(client: Client, directory: string): Promise<string[]> {
  await client.query(DEFINED);
  const rows = await clientRows(
    client,
    { name: text, checksum: text },
    'SELECT "name", "checksum" FROM "definitions"."applied"',
  );
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const changed: string[] = [];
  await client.query('BEGIN');
  await client.query('SET LOCAL check_function_bodies = off');
  for (const name of (await readdir(directory)).sort()) {
    const script = await readFile(join(directory, name), 'utf8');
    const checksum = createHash('sha256').update(script).digest('hex');
    if (applied.get(name) === checksum) continue;
    try {
      await client.query(script);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw new Error(`${name} failed, and no definition was changed: ${wordsOf(error, script)}`, {
        cause: error,
      });
    }
    await client.query(
      `INSERT INTO "definitions"."applied" VALUES ($1, $2)
       ON CONFLICT ("name") DO UPDATE SET "checksum" = excluded."checksum"`,
      [name, checksum],
    );
    changed.push(name);
  }
  await client.query('COMMIT');
  return changed;
}

/** Postgres says best what it objects to, and where. */
function wordsOf(error: unknown, script: string): string {
  if (!(error instanceof DatabaseError)) return String(error instanceof Error ? error.message : error);
  const { message, code, detail, hint, position } = error;
  const line = position ? `, at line ${script.slice(0, Number(position)).split('\n').length}` : '';
  return [`${message} (${code}${line})`, detail, hint].filter(Boolean).join('. ');
}
