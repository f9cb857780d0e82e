import { readFile } from 'node:fs/promises';

/** Says what a file of archived checks holds; it is beside the file, with its name and the ending `.json`. */
export interface FactsManifest {
  readonly format: 2;
  readonly month: string;
  readonly file: string;
  readonly rows: number;
  readonly by_decision: Readonly<Record<string, number>>;
  readonly columns: readonly string[];
  /** Of the rows in their order; equal in a file that another release writes. */
  readonly rows_sha256: string;
  readonly bytes: number;
  /** Of the file as it is. */
  readonly sha256: string;
  readonly archived_at: string;
}

export async function readFactsManifest(path: string): Promise<FactsManifest> {
  let manifest: Partial<FactsManifest>;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read as a manifest: ${(error as Error).message}`);
  }
  if (manifest.format !== 2 || !manifest.month || !manifest.file || !manifest.columns?.length)
    throw new Error(`${path} is not the manifest of an archive`);
  return manifest as FactsManifest;
}
