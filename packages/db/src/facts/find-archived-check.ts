import { join } from 'node:path';
import { daysNear } from './days-near.js';
import { findInFactsFile } from './facts-file.js';
import { factsName } from './facts-manifest.js';
import type { FactsRow } from './facts-row.js';

/** One check of the archive, from the file of its day; null where no file of the folder holds it. */
export async function findArchivedCheck(folder: string, id: string): Promise<FactsRow | null> {
  for (const day of daysNear(id)) {
    const found = await findInFactsFile(join(folder, `${factsName(day)}.parquet`), id).catch(unlessMissing);
    if (found) return found;
  }
  return null;
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
