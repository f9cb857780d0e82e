import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { clientRows } from './client-rows.js';
import { text } from './columns.js';
import { dataTables } from './data-tables.js';
import { migrationNames } from './migrate.js';
import { withConnection } from './with-connection.js';

export interface BackupManifest {
  readonly format: 1;
  readonly taken_at: string;
  /** The schema that the rows fit; a restore migrates to it first. */
  readonly migrations: readonly string[];
  readonly months: readonly string[];
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

const ROWS_AT_ONCE = 2_000;

/**
 * Writes every row as of one moment, a file per table, while the service runs. Postgres formats the rows, so no
 * microsecond or large number passes through JavaScript; for databases of many gigabytes use the backups of your
 * Postgres.
 */
export async function backUp(databaseUrl: string, folder: string): Promise<BackupManifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty: a backup goes to a new folder`);
  return withConnection(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables: { name: string; rows: number }[] = [];
    for (const name of await dataTables(client)) {
      let rows = 0;
      await pipeline(
        Readable.from(
          readRows(client, name, (count) => {
            rows += count;
          }),
        ),
        createGzip(),
        createWriteStream(join(folder, `${name}.ndjson.gz`), { mode: 0o600 }),
      );
      tables.push({ name, rows });
    }
    const months = await clientRows(
      client,
      { month: text },
      `SELECT DISTINCT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month
       FROM (SELECT created_at FROM check_logs UNION ALL SELECT created_at FROM test_check_logs
             UNION ALL SELECT hour FROM usage_hourly) c ORDER BY 1`,
    );
    const manifest: BackupManifest = {
      format: 1,
      taken_at: new Date().toISOString(),
      migrations: await migrationNames(),
      months: months.map(({ month }) => month),
      tables,
    };
    // Last, so that a folder without it is known to be incomplete.
    await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  });
}

async function* readRows(
  client: Client,
  table: string,
  onRows: (count: number) => void,
): AsyncGenerator<string> {
  await client.query(
    `DECLARE rows_of NO SCROLL CURSOR FOR SELECT to_jsonb(t)::text AS row FROM "${table}" t`,
  );
  for (;;) {
    const rows = await clientRows(client, { row: text }, `FETCH ${ROWS_AT_ONCE} FROM rows_of`);
    if (rows.length === 0) break;
    onRows(rows.length);
    yield `${rows.map(({ row }) => row).join('\n')}\n`;
  }
  await client.query('CLOSE rows_of');
}
