import type { Client } from 'pg';
import { clientRows } from '../database/client-rows.js';
import type { FactsColumn } from './facts-columns.js';
import type { FactsRow } from './facts-row.js';

/** One row group of a file: what is in memory at a time, and what a reader can leave out. Fewer rows make a file larger. */
const ROWS_PER_GROUP = 10_000;

/**
 * The stored checks that a condition of SQL names, page by page, within the caller's transaction. In the order of time, so
 * that a question about a day reads few row groups, and a restore lays the rows down as they lay.
 */
export async function* readStoredFacts(
  client: Client,
  columns: readonly FactsColumn[],
  within: string,
): AsyncGenerator<FactsRow[]> {
  const selected = columns.map(({ name, expression }) => `${expression} AS ${name}`).join(', ');
  const shape = Object.fromEntries(columns.map((column) => [column.name, column.shape]));
  await client.query(
    `DECLARE facts NO SCROLL CURSOR FOR SELECT ${selected} FROM check_logs WHERE ${within} ORDER BY check_logs.id`,
  );
  for (;;) {
    const rows = await clientRows(client, shape, `FETCH ${ROWS_PER_GROUP} FROM facts`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE facts');
}
