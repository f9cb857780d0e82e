import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Says what a file of a day's checks holds; it is beside the file, with its name and the ending `.json`. */
export interface FactsManifest {
  readonly format: 3;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly file: string;
  readonly rows: number;
  /** The least and the greatest id: rows of another installation are not taken for these. */
  readonly first_id: string;
  readonly last_id: string;
  readonly by_decision: Readonly<Record<string, number>>;
  readonly columns: readonly string[];
  /** Of the rows in their order; equal in a file that another release writes. */
  readonly rows_sha256: string;
  readonly bytes: number;
  /** Of the file as it is. */
  readonly sha256: string;
  readonly archived_at: string;
}

/** The beginning of the names of both files of a day, or of all files of a month. */
export const factsName = (period: string): string => `check_logs_${period.replaceAll('-', '_')}`;

/** The manifests of a month's days that a folder has, in the order of the days. */
export async function readFactsManifests(folder: string, month: string): Promise<FactsManifest[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(`${factsName(month)}_`) && name.endsWith('.json'),
  );
  return Promise.all(names.sort().map((name) => readManifest(join(folder, name))));
}

/** One checksum over the files of a month: a day that is missing, changed or too many changes it. */
export function checksumOfDays(manifests: readonly FactsManifest[]): string {
  const hash = createHash('sha256');
  for (const { day, rows, sha256 } of manifests) hash.update(`${day} ${rows} ${sha256}\n`);
  return hash.digest('hex');
}

async function readManifest(path: string): Promise<FactsManifest> {
  let manifest: Partial<FactsManifest>;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as a manifest: ${(error as Error).message}`);
  }
  if (manifest.format !== 3 || !manifest.day || !manifest.file || !manifest.columns?.length)
    throw new Error(`${path} is not the manifest of an archive`);
  return manifest as FactsManifest;
}
