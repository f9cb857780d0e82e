import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { clientRows } from '../database/client-rows.js';
import { nullable, text } from '../database/columns.js';
import { checksumOfFile } from './checksum-of-file.js';
import { readFactsFile } from './facts-file.js';
import { type FactsManifest, readFactsManifest } from './facts-manifest.js';
import { csvLine } from './facts-row.js';

/** Brings the checks of an archived month back from its file, all or none. The caller ends the connection after a failure. */
export async function restoreFacts(client: Client, manifestPath: string): Promise<FactsManifest> {
  const manifest = await readFactsManifest(manifestPath);
  const { month, rows, columns, sha256 } = manifest;
  const path = join(dirname(manifestPath), manifest.file);
  const periods = await clientRows(
    client,
    { sha256: nullable(text) },
    `SELECT archived_sha256 AS sha256 FROM billing_periods WHERE month = ($1 || '-01')::date`,
    [month],
  );
  if (!periods[0]?.sha256) throw new Error(`${month} is not archived: its rows are in the database`);
  const found = await checksumOfFile(path);
  if (found.sha256 !== sha256 || found.sha256 !== periods[0].sha256)
    throw new Error(`${path} is not the file that was archived: its checksum is ${found.sha256}`);
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query(`SELECT ensure_check_partitions(($1 || '-01')::date)`, [month]);
  const names = columns.map((name) => client.escapeIdentifier(name)).join(', ');
  const copy = client.query(copyFrom(`COPY check_logs (${names}) FROM STDIN (FORMAT csv)`));
  await pipeline(Readable.from(linesOf(path, columns)), copy);
  if (copy.rowCount !== rows) throw new Error(`${path} has ${copy.rowCount} of ${rows} rows`);
  // Compared with the rollups again, as a month that was just closed.
  await client.query(
    `UPDATE billing_periods SET archived_at = NULL, archived_rows = NULL, archived_sha256 = NULL, reconciled_to = NULL
       WHERE month = ($1 || '-01')::date`,
    [month],
  );
  await client.query('COMMIT');
  return manifest;
}

async function* linesOf(path: string, columns: readonly string[]): AsyncGenerator<string> {
  for await (const rows of readFactsFile(path)) yield rows.map((row) => csvLine(row, columns)).join('');
}
