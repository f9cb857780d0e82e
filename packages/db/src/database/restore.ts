import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import type { Client } from 'pg';
import { checksumOfFile } from '../facts/checksum-of-file.js';
import { type BackupManifest, MANIFEST } from './backup.js';
import { clientRows } from './client-rows.js';
import { text } from './columns.js';
import { dataTables } from './data-tables.js';
import { migrate, migrationNames } from './migrate.js';
import { withConnection } from './with-connection.js';

const ROWS_AT_ONCE = 1_000;

/**
 * Fills a new database from a backup, all or nothing. A database with accounts is refused, so a live one cannot be
 * overwritten by mistake; Redis needs no backup, because accounts and counters come back from here.
 */
export async function restore(databaseUrl: string, folder: string): Promise<BackupManifest> {
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as BackupManifest;
  const known = await migrationNames();
  const unknown = manifest.migrations.filter((name) => !known.includes(name));
  if (manifest.format !== 1 || unknown.length > 0)
    throw new Error('the backup is of a later release than this one; restore it with that release');
  for (const { name, sha256 } of manifest.tables) {
    if (sha256 !== undefined && (await checksumOfFile(join(folder, `${name}.ndjson.gz`))).sha256 !== sha256)
      throw new Error(`${name}.ndjson.gz is not the file that was backed up: its checksum differs`);
  }
  await migrate(databaseUrl);
  return withConnection(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT 1 FROM accounts LIMIT 1');
    if (rows.length > 0) throw new Error('the database has accounts already; restore into a new one');
    await client.query('BEGIN');
    // Triggers that note what happens to accounts keep still: the notes are in the backup.
    await client.query("SET LOCAL verdict.restoring = 'on'");
    for (const month of manifest.months)
      await client.query("SELECT ensure_check_partitions(($1 || '-01')::date)", [month]);
    const tables = await dataTables(client);
    // The backup includes the rows that migrations write. Tables that forbid deleting are empty.
    for (const table of [...tables].reverse()) {
      const found = await client.query(`SELECT 1 FROM "${table}" LIMIT 1`);
      if (found.rows.length > 0) await client.query(`DELETE FROM "${table}"`);
    }
    for (const { name, rows: expected } of sorted(manifest.tables, tables)) {
      const written = await fill(client, name, join(folder, `${name}.ndjson.gz`));
      if (written !== expected) throw new Error(`${name} has ${written} of ${expected} rows`);
    }
    await advanceIdentities(client);
    // A backup from before plans had a history: all that is known is the plan that each account has now.
    await client.query(`
      INSERT INTO plan_changes (account_id, to_plan, effective_at, made_by, applied_at)
      SELECT a.id, a.plan, a.created_at, 'database', a.created_at FROM accounts a
      WHERE NOT EXISTS (SELECT FROM plan_changes c WHERE c.account_id = a.id)`);
    // And one from before accounts had members.
    await client.query(`
      INSERT INTO memberships (account_id, user_id, role, created_at)
      SELECT u.account_id, u.id, 'owner', u.created_at FROM users u
      WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.account_id = u.account_id)`);
    await client.query('COMMIT');
    return manifest;
  });
}

/** In the order of references in this schema, which may differ from that of the backup. */
const sorted = (tables: BackupManifest['tables'], order: readonly string[]) =>
  [...tables].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));

async function fill(client: Client, table: string, file: string): Promise<number> {
  let batch: string[] = [];
  let written = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const result = await client.query(
      `INSERT INTO "${table}" OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
      [`[${batch.join(',')}]`],
    );
    written += result.rowCount ?? 0;
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    batch.push(line);
    if (batch.length >= ROWS_AT_ONCE) await flush();
  }
  await flush();
  return written;
}

/** Rows came with their numbers; sequences must continue after them. */
async function advanceIdentities(client: Client): Promise<void> {
  const rows = await clientRows(
    client,
    { table: text, column: text, sequence: text },
    `
    SELECT table_name AS "table", column_name AS "column",
           pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
    FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES'`,
  );
  for (const { table, column, sequence } of rows) {
    await client.query(
      `SELECT setval($1, greatest(coalesce((SELECT max("${column}") FROM "${table}"), 0) + 1, 1), false)`,
      [sequence],
    );
  }
}
