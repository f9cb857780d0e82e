import { access, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { clientRows } from '../database/client-rows.js';
import { bool, int, text } from '../database/columns.js';
import { checksumOfFile } from './checksum-of-file.js';
import { factsColumns } from './facts-columns.js';
import { contentOfFile, writeFactsFile } from './facts-file.js';
import { type FactsManifest, factsName } from './facts-manifest.js';
import { readStoredFacts } from './read-stored-facts.js';

const DAY_MS = 86_400_000;

/** Another process writes to the archive: one is enough. */
export class ArchivedElsewhere extends Error {
  override name = 'ArchivedElsewhere';
}

/**
 * Writes the checks of a day to a Parquet file with a manifest and reads every row back; null for a day without checks. The
 * file gets its name last, so a run that was killed leaves no day that looks whole. The caller ends the connection after a
 * failure.
 */
export async function archiveDay(client: Client, day: string, folder: string): Promise<FactsManifest | null> {
  const name = factsName(day);
  const [path, manifestPath] = [join(folder, `${name}.parquet`), join(folder, `${name}.json`)];
  const partial = `${path}.partial`;
  if ((await exists(path)) && !(await exists(manifestPath)))
    throw new Error(`${path} is there without a manifest: archive to another folder, or move it away`);
  const end = new Date(Date.parse(day) + DAY_MS).toISOString();
  const within = `created_at >= '${day}T00:00:00Z' AND created_at < '${end}'`;
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query('SET LOCAL statement_timeout = 0');
  await claim(client);
  const decisions = await clientRows(
    client,
    { decision: text, checks: int, first: text, last: text },
    `SELECT decision, count(*)::float8 AS checks, min(id COLLATE "C") AS first, max(id COLLATE "C") AS last
     FROM check_logs WHERE ${within} GROUP BY 1 ORDER BY 1`,
  );
  const counted = decisions.reduce((sum, { checks }) => sum + checks, 0);
  if (counted === 0) {
    await client.query('COMMIT');
    return null;
  }
  const columns = await factsColumns(client);
  const names = columns.map((column) => column.name);
  const written = await writeFactsFile(partial, columns, readStoredFacts(client, columns, within));
  if (written.rows !== counted) throw new Error(`${partial} has ${written.rows} of ${counted} rows`);
  const found = await contentOfFile(partial, names);
  if (found.rows_sha256 !== written.rows_sha256) throw new Error(`${partial} does not hold what was written`);
  const manifest: FactsManifest = {
    format: 3,
    day,
    file: `${name}.parquet`,
    ...written,
    first_id: decisions.map(({ first }) => first).sort()[0] ?? '',
    last_id:
      decisions
        .map(({ last }) => last)
        .sort()
        .at(-1) ?? '',
    by_decision: Object.fromEntries(decisions.map(({ decision, checks }) => [decision, checks])),
    columns: names,
    ...(await checksumOfFile(partial)),
    archived_at: new Date().toISOString(),
  };
  // A file of the same day is kept beside the one that takes its place.
  if (await exists(path)) await rename(path, `${path}.before-${manifest.sha256.slice(0, 8)}`);
  const said = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(`${manifestPath}.partial`, said, { mode: 0o600, flush: true });
  await rename(`${manifestPath}.partial`, manifestPath);
  await rename(partial, path);
  await syncFolder(folder);
  await client.query('COMMIT');
  return manifest;
}

/** Ends with the transaction, so that a process that died holds no lock. */
async function claim(client: Client): Promise<void> {
  const [row] = await clientRows(
    client,
    { mine: bool },
    `SELECT pg_try_advisory_xact_lock(hashtext('archive_facts')) AS mine`,
  );
  if (!row?.mine) throw new ArchivedElsewhere('another process is writing to the archive');
}

/** Both names are on the disk before any row goes. */
async function syncFolder(folder: string): Promise<void> {
  const entries = await open(folder);
  await entries.sync().finally(() => entries.close());
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
