import { readFileSync } from 'node:fs';

/** The one setting of the migration command; DATABASE_URL_FILE may name a file that holds it. */
export function config(): { DATABASE_URL: string } {
  const file = process.env.DATABASE_URL_FILE;
  const url = file ? readFileSync(file, 'utf8').trim() : process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is missing');
  return { DATABASE_URL: url };
}
