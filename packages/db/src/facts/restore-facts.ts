import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { clientRows } from '../database/client-rows.js';
import { nullable, text } from '../database/columns.js';
import { checksumOfFile } from './checksum-of-file.js';
import { readFactsFile } from './facts-file.js';
import { checksumOfDays, type FactsManifest, readFactsManifests } from './facts-manifest.js';
import { csvLine } from './facts-row.js';

/** Brings the checks of an archived month back from its files, all or none. The caller ends the connection after a failure. */
export async function restoreFacts(client: Client, month: string, folder: string): Promise<FactsManifest[]> {
  const manifests = await readFactsManifests(folder, month);
  const periods = await clientRows(
    client,
    { sha256: nullable(text) },
    `SELECT archived_sha256 AS sha256 FROM billing_periods WHERE month = ($1 || '-01')::date`,
    [month],
  );
  if (!periods[0]?.sha256) throw new Error(`${month} is not archived: its rows are in the database`);
  if (checksumOfDays(manifests) !== periods[0].sha256)
    throw new Error(`the ${manifests.length} manifests in ${folder} are not those of the archived ${month}`);
  for (const { file, sha256 } of manifests) {
    const found = await checksumOfFile(join(folder, file));
    if (found.sha256 !== sha256)
      throw new Error(
        `${join(folder, file)} is not the file that was archived: its checksum is ${found.sha256}`,
      );
  }
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query(`SELECT ensure_check_partitions(($1 || '-01')::date)`, [month]);
  for (const manifest of manifests) await copyDay(client, manifest, folder);
  // Compared with the rollups again, as a month that was just closed.
  await client.query(
    `UPDATE billing_periods SET archived_at = NULL, archived_rows = NULL, archived_sha256 = NULL, reconciled_to = NULL
       WHERE month = ($1 || '-01')::date`,
    [month],
  );
  await client.query('COMMIT');
  return manifests;
}

async function copyDay(
  client: Client,
  { file, rows, columns }: FactsManifest,
  folder: string,
): Promise<void> {
  const names = columns.map((name) => client.escapeIdentifier(name)).join(', ');
  const copy = client.query(copyFrom(`COPY check_logs (${names}) FROM STDIN (FORMAT csv)`));
  await pipeline(Readable.from(linesOf(join(folder, file), columns)), copy);
  if (copy.rowCount !== rows) throw new Error(`${file} has ${copy.rowCount} of ${rows} rows`);
}

async function* linesOf(path: string, columns: readonly string[]): AsyncGenerator<string> {
  for await (const rows of readFactsFile(path)) yield rows.map((row) => csvLine(row, columns)).join('');
}
