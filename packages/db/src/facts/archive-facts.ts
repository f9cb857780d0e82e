import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayOf, monthBounds } from '@verdict/domain/month.js';
import type { Client } from 'pg';
import { clientRows } from '../database/client-rows.js';
import { bool, list, text } from '../database/columns.js';
import { archiveDay } from './archive-day.js';
import { checksumOfFile } from './checksum-of-file.js';
import { checksumOfDays, type FactsManifest, readFactsManifests } from './facts-manifest.js';

const DAY_MS = 86_400_000;

export interface ArchivedMonth {
  readonly month: string;
  /** The days that were written now. */
  readonly written: readonly string[];
  /** Of all files of the month. */
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  /** Why the rows are still in Postgres; null where the month has left it. */
  readonly kept: string | null;
}

export interface ArchiveOptions {
  readonly month: string;
  /** Only days that ended before this moment. */
  readonly before: Date;
  readonly folder: string;
  /** Since when checks may still be queued or set aside; null when nothing is. */
  readonly pendingSince: Date | null;
}

/**
 * Writes the days of a closed month to files and, when all of them are there and the addresses of the month are gone, drops
 * its rows. Rollups, statements and invoices stay. It can be killed and repeated at any point: whole files are not written again.
 */
export async function archiveFacts(
  client: Client,
  { month, before, folder, pendingSince }: ArchiveOptions,
): Promise<ArchivedMonth> {
  const { hasEnded, keepsAddresses } = await requireClosed(client, month, before);
  const written = new Set<string>();
  const write = async (day: string) => {
    if (await archiveDay(client, day, folder)) written.add(day);
  };
  const whole = await wholeDays(folder, month, isOfItsSize);
  for (const day of daysBefore(month, before)) if (!whole.has(day)) await write(day);
  let kept = hasEnded ? null : 'its last days are not old enough';
  if (hasEnded && keepsAddresses) kept = 'its addresses are still kept (retention_days of the plans)';
  // One of them may be in the month already, and would count twice without the row that refuses it.
  if (kept === null && pendingSince !== null && pendingSince < monthBounds(month).end)
    kept = 'checks of it may still be queued or set aside (verdict dead-letters)';
  if (kept === null) {
    const unchanged = await wholeDays(folder, month, isUnchanged);
    for (const { day } of await readFactsManifests(folder, month)) if (!unchanged.has(day)) await write(day);
    // A check that came late for its day is in no file.
    for (const day of await dropRows(client, month, folder)) await write(day);
    const late = await dropRows(client, month, folder);
    if (late.length > 0) throw new Error(`checks of ${late.join(', ')} were stored meanwhile: archive again`);
  }
  const manifests = await readFactsManifests(folder, month);
  const sum = (of: (manifest: FactsManifest) => number) =>
    manifests.reduce((total, each) => total + of(each), 0);
  return {
    month,
    written: [...written].sort(),
    rows: sum(({ rows }) => rows),
    bytes: sum(({ bytes }) => bytes),
    sha256: checksumOfDays(manifests),
    kept,
  };
}

async function requireClosed(client: Client, month: string, before: Date) {
  const [period] = await clientRows(
    client,
    { stated: bool, reconciled: bool, archived: bool, kept: bool },
    `SELECT stated_at IS NOT NULL AS stated, archived_at IS NOT NULL AS archived,
       coalesce(reconciled_to >= (month + interval '1 month') AT TIME ZONE 'UTC', false) AS reconciled,
       to_regclass('check_subjects_' || to_char(month, 'YYYY_MM')) IS NOT NULL AS kept
     FROM billing_periods WHERE month = ($1 || '-01')::date`,
    [month],
  );
  const obstacle = !period
    ? 'there is no such billing month'
    : period.archived
      ? 'it is archived'
      : !period.stated
        ? 'it is not closed'
        : !period.reconciled && 'it has not been reconciled since it was closed; the worker does so daily';
  if (obstacle) throw new Error(`${month} cannot be archived: ${obstacle}`);
  return { hasEnded: monthBounds(month).end <= before, keepsAddresses: period?.kept ?? true };
}

function* daysBefore(month: string, before: Date): Generator<string> {
  const { start, end } = monthBounds(month);
  const last = Math.min(end.getTime(), before.getTime());
  for (let from = start.getTime(); from + DAY_MS <= last; from += DAY_MS) yield dayOf(new Date(from));
}

type IsWhole = (path: string, manifest: FactsManifest) => Promise<boolean>;

const isOfItsSize: IsWhole = async (path, { bytes }) => (await stat(path)).size === bytes;
const isUnchanged: IsWhole = async (path, { sha256 }) => (await checksumOfFile(path)).sha256 === sha256;

/** The days whose file is as its manifest says; a missing file is not. */
async function wholeDays(folder: string, month: string, isWhole: IsWhole): Promise<Set<string>> {
  const whole = new Set<string>();
  for (const manifest of await readFactsManifests(folder, month)) {
    if (await isWhole(join(folder, manifest.file), manifest).catch(() => false)) whole.add(manifest.day);
  }
  return whole;
}

/** Drops the rows unless a file holds others; returns the days of such files. */
async function dropRows(client: Client, month: string, folder: string): Promise<string[]> {
  const manifests = await readFactsManifests(folder, month);
  await client.query('BEGIN');
  await client.query('SET LOCAL statement_timeout = 0');
  const [row] = await clientRows(
    client,
    { differing: list(text) },
    `SELECT drop_archived_checks(($1 || '-01')::date, $2::date[], $3::bigint[], $4::text[], $5)::text[] AS differing`,
    [
      month,
      manifests.map(({ day }) => day),
      manifests.map(({ rows }) => rows),
      manifests.map(({ first_id, last_id }) => `${first_id} ${last_id}`),
      checksumOfDays(manifests),
    ],
  );
  await client.query('COMMIT');
  return row?.differing ?? [];
}
