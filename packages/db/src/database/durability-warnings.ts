import type { Database } from './client.js';
import { text } from './columns.js';
import { rowsOf } from './rows-of.js';

/** By setting: what loses a commit in a power cut. */
const UNSAFE: Readonly<Record<string, string>> = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};

/** Names each unsafe setting of this Postgres in a sentence: a worker deletes a job on the word of a commit. */
export async function postgresWarnings(db: Database): Promise<string[]> {
  const rows = await rowsOf(db, { name: text, setting: text })`
    SELECT name, setting FROM pg_settings WHERE name = ANY(${Object.keys(UNSAFE)}::text[]) ORDER BY name`;
  return rows
    .filter(({ name, setting }) => UNSAFE[name] === setting)
    .map(
      ({ name, setting }) =>
        `Postgres runs with ${name} ${setting} instead of on: stored checks can be lost in a power cut`,
    );
}
