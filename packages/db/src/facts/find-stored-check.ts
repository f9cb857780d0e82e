import type { Client } from 'pg';
import { factsColumns } from './facts-columns.js';
import type { FactsRow } from './facts-row.js';
import { readStoredFacts } from './read-stored-facts.js';

/** One check of the database, as a file of the archive will hold it; null where it is not stored here. */
export async function findStoredCheck(client: Client, id: string): Promise<FactsRow | null> {
  await client.query('BEGIN READ ONLY');
  const columns = await factsColumns(client);
  let found: FactsRow | null = null;
  for await (const [row] of readStoredFacts(client, columns, `id = ${client.escapeLiteral(id)}`))
    found ??= row ?? null;
  await client.query('COMMIT');
  return found;
}
