import { join } from 'node:path';
import { timeOfId } from '@verdict/domain/id.js';
import { dayOf } from '@verdict/domain/month.js';
import { findInFactsFile } from './facts-file.js';
import { factsName } from './facts-manifest.js';
import type { FactsRow } from './facts-row.js';

/** A gateway dates the id and Redis the check, so around midnight the file may be that of the next day. */
const CLOCKS_DIFFER_MS = 300_000;

/** One check of the archive, from the file of its day; null where no file of the folder holds it. */
export async function findArchivedCheck(folder: string, id: string): Promise<FactsRow | null> {
  const made = timeOfId(id);
  const near = [made, made + CLOCKS_DIFFER_MS, made - CLOCKS_DIFFER_MS];
  for (const day of new Set(near.map((ms) => dayOf(new Date(ms))))) {
    const found = await findInFactsFile(join(folder, `${factsName(day)}.parquet`), id).catch(unlessMissing);
    if (found) return found;
  }
  return null;
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
