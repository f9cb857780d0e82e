import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { monthBounds } from '@verdict/domain/month.js';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { clientRows } from '../database/client-rows.js';
import { bool, int, text } from '../database/columns.js';
import { checksumOfFile } from './checksum-of-file.js';
import type { FactsManifest } from './facts-manifest.js';

/** Statements of checks wait behind the drop for so long at most. */
const LOCK_TIMEOUT_MS = 10_000;

const partitionOf = (month: string): string => `check_logs_${month.replace('-', '_')}`;

/**
 * Writes the checks of a month to a compressed CSV file with a manifest, reads the file back, and drops the rows. Needs the
 * owner of the tables. Rollups, statements and invoices stay; a month whose addresses are still kept is refused. After a
 * failure the connection may be in the middle of a copy: the caller ends it, which undoes what was not committed.
 */
export async function archiveFacts(client: Client, month: string, folder: string): Promise<FactsManifest> {
  const obstacle = await obstacleTo(client, month);
  if (obstacle) throw new Error(`${month} cannot be archived: ${obstacle}`);
  const name = partitionOf(month);
  const path = join(folder, `${name}.csv.gz`);
  const content = await writeRows(client, month, path);
  const manifest: FactsManifest = {
    format: 1,
    month,
    file: `${name}.csv.gz`,
    ...content,
    ...(await checksumOfFile(path)),
    archived_at: new Date().toISOString(),
  };
  await writeDurably(join(folder, `${name}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
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
  const within = `FROM check_logs WHERE created_at >= '${start.toISOString()}' AND created_at < '${end.toISOString()}'`;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const columns = await clientRows(
    client,
    { name: text },
    `SELECT attname::text AS name FROM pg_attribute
       WHERE attrelid = 'check_logs'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const names = columns.map(({ name }) => name);
  const decisions = await clientRows(
    client,
    { decision: text, checks: int },
    `SELECT decision, count(*)::float8 AS checks ${within} GROUP BY 1 ORDER BY 1`,
  );
  const copy = client.query(
    copyTo(`COPY (SELECT ${names.join(', ')} ${within} ORDER BY id) TO STDOUT (FORMAT csv, HEADER)`),
  );
  const file = await open(path, 'wx', 0o600);
  // Flushed to the disk before it is closed: the rows are dropped next.
  await pipeline(copy, createGzip(), file.createWriteStream({ flush: true }));
  const counted = decisions.reduce((sum, { checks }) => sum + checks, 0);
  if (copy.rowCount !== counted) throw new Error(`${path} has ${copy.rowCount} of ${counted} rows`);
  const by_decision = Object.fromEntries(decisions.map(({ decision, checks }) => [decision, checks]));
  await client.query('COMMIT');
  return { rows: counted, by_decision, columns: names };
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

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
