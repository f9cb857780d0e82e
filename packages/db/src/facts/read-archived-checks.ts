import { join } from 'node:path';
import { readFactsOfAccount } from './facts-file.js';
import { factsName } from './facts-manifest.js';
import type { FactsRow } from './facts-row.js';

/** The checks of an account on an archived day, newest first, a row group of the file at a time. */
export const readArchivedChecks = (
  folder: string,
  day: string,
  accountId: string,
): AsyncGenerator<FactsRow[]> => readFactsOfAccount(join(folder, `${factsName(day)}.parquet`), accountId);
