import { access, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monthBounds } from '@verdict/domain/month.js';
import type { Client } from 'pg';
import { clientRows } from '../database/client-rows.js';
import { bool, int, text } from '../database/columns.js';
import { checksumOfFile } from './checksum-of-file.js';
import { factsColumns } from './facts-columns.js';
import { contentOfFile, writeFactsFile } from './facts-file.js';
import type { FactsManifest } from './facts-manifest.js';
import { readStoredFacts } from './read-stored-facts.js';

/** Statements of checks wait behind the drop for so long at most. */
const LOCK_TIMEOUT_MS = 10_000;

const partitionOf = (month: string): string => `check_logs_${month.replace('-', '_')}`;

/**
 * Writes the checks of a month to a Parquet file with a manifest, reads every row back, and drops the rows. Needs the owner of
 * the tables. Rollups, statements and invoices stay; a month whose addresses are still kept is refused. A run that was cut off
 * leaves a partial file, which the next one writes over. After a failure the caller ends the connection, which undoes what
 * was not committed.
 */
export async function archiveFacts(client: Client, month: string, folder: string): Promise<FactsManifest> {
  const obstacle = await obstacleTo(client, month);
  if (obstacle) throw new Error(`${month} cannot be archived: ${obstacle}`);
  const name = partitionOf(month);
  const path = join(folder, `${name}.parquet`);
  if (await exists(path))
    throw new Error(`${path} is there already: archive to another folder, or move it away`);
  const content = await writeRows(client, month, `${path}.partial`);
  const manifest: FactsManifest = {
    format: 2,
    month,
    file: `${name}.parquet`,
    ...content,
    ...(await checksumOfFile(`${path}.partial`)),
    archived_at: new Date().toISOString(),
  };
  await rename(`${path}.partial`, path);
  await writeDurably(folder, `${name}.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  await dropRows(client, manifest);
  return manifest;
}

/** Why a month has to stay; null when it may go. */
async function obstacleTo(client: Client, month: string): Promise<string | null> {
  const rows = await clientRows(
    client,
    { stated: bool, reconciled: bool, archived: bool, kept: bool },
    `SELECT stated_at IS NOT NULL AS stated, archived_at IS NOT NULL AS archived,
       coalesce(reconciled_to >= (month + interval '1 month') AT TIME ZONE 'UTC', false) AS reconciled,
       to_regclass('check_subjects_' || to_char(month, 'YYYY_MM')) IS NOT NULL AS kept
     FROM billing_periods WHERE month = ($1 || '-01')::date`,
    [month],
  );
  const [period] = rows;
  if (!period) return 'there is no such billing month';
  if (period.archived) return 'it is archived';
  if (!period.stated) return 'it is not closed';
  if (!period.reconciled) return 'it has not been reconciled since it was closed; the worker does so daily';
  return period.kept ? 'its addresses are still kept (retention_days of the plans)' : null;
}

async function writeRows(client: Client, month: string, path: string) {
  const { start, end } = monthBounds(month);
  const within = `created_at >= '${start.toISOString()}' AND created_at < '${end.toISOString()}'`;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const columns = await factsColumns(client);
  const names = columns.map(({ name }) => name);
  const decisions = await clientRows(
    client,
    { decision: text, checks: int },
    `SELECT decision, count(*)::float8 AS checks FROM check_logs WHERE ${within} GROUP BY 1 ORDER BY 1`,
  );
  const written = await writeFactsFile(path, columns, readStoredFacts(client, columns, within));
  await client.query('COMMIT');
  const counted = decisions.reduce((sum, { checks }) => sum + checks, 0);
  if (written.rows !== counted) throw new Error(`${path} has ${written.rows} of ${counted} rows`);
  const found = await contentOfFile(path, names);
  if (found.rows_sha256 !== written.rows_sha256) throw new Error(`${path} does not hold what was written`);
  const by_decision = Object.fromEntries(decisions.map(({ decision, checks }) => [decision, checks]));
  return { ...written, by_decision, columns: names };
}

/** Flushes the folder too: both names are on the disk before the rows go. */
async function writeDurably(folder: string, name: string, content: string): Promise<void> {
  await writeFile(join(folder, name), content, { mode: 0o600, flush: true });
  const entries = await open(folder);
  await entries.sync().finally(() => entries.close());
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** A check of the month that was stored after the file was written is in no file: then nothing is dropped. */
async function dropRows(client: Client, { month, rows, sha256 }: FactsManifest): Promise<void> {
  const name = partitionOf(month);
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query('SET LOCAL statement_timeout = 0');
  await client.query(`LOCK TABLE "${name}" IN SHARE MODE`);
  const counted = await clientRows(client, { rows: int }, `SELECT count(*)::float8 AS rows FROM "${name}"`);
  if (counted[0]?.rows !== rows)
    throw new Error(`checks of ${month} were stored meanwhile; delete its two files and archive it again`);
  await client.query(`DROP TABLE "${name}"`);
  await client.query(
    `UPDATE billing_periods SET archived_at = now(), archived_rows = $2, archived_sha256 = $3 WHERE month = ($1 || '-01')::date`,
    [month, rows, sha256],
  );
  await client.query('COMMIT');
}
