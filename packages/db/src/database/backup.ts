import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
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
  readonly tables: readonly BackedUpTable[];
}

export interface BackedUpTable {
  readonly name: string;
  readonly rows: number;
  /** Of the file; missing in backups of 0.2.0 and before. */
  readonly sha256?: string;
}

/** Lists the tables with their checksums. */
export const MANIFEST = 'manifest.json';

const ROWS_AT_ONCE = 2_000;

/**
 * Writes every row as of one moment, a file per table, while the service runs. Postgres formats the rows, so no
 * microsecond or large number passes through JavaScript; for databases of many gigabytes use the backups of your
 * Postgres. It is written beside the folder and renamed at the end, so it can be cut off and repeated, and a folder
 * with this name is whole.
 */
export async function backUp(databaseUrl: string, folder: string): Promise<BackupManifest> {
  const present = await readdir(folder).catch((): string[] => []);
  if (present.length > 0) throw new Error(`${folder} is not empty: a backup goes to a new folder`);
  const partial = `${folder.replace(/\/+$/, '')}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const manifest = await writeBackup(databaseUrl, partial);
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  return manifest;
}

function writeBackup(databaseUrl: string, folder: string): Promise<BackupManifest> {
  return withConnection(databaseUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables: BackedUpTable[] = [];
    for (const name of await dataTables(client)) {
      let rows = 0;
      const hash = createHash('sha256');
      await pipeline(
        Readable.from(
          readRows(client, name, (count) => {
            rows += count;
          }),
        ),
        createGzip(),
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(join(folder, `${name}.ndjson.gz`), { mode: 0o600, flush: true }),
      );
      tables.push({ name, rows, sha256: hash.digest('hex') });
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
    const content = `${JSON.stringify(manifest, null, 2)}\n`;
    await writeFile(join(folder, MANIFEST), content, { mode: 0o600, flush: true });
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
