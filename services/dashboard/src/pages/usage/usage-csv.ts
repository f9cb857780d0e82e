import type { Usage } from '../../api/usage.ts';
import { csvOf } from '../../ui/file/csv-of.ts';

/** The rows that are on the page, as they came. */
export const usageCsv = (usage: Usage, nameOf: (keyId: string) => string): string =>
  csvOf(
    [usage.by, 'key_id', 'key_name', 'decision', 'checks'],
    usage.rows.map(({ at, key_id, decision, checks }) => [at, key_id, nameOf(key_id), decision, checks]),
  );
