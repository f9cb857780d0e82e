import type { Client } from 'pg';
import { clientRows } from './client-rows.js';
import { list, text } from './columns.js';

/**
 * The tables that hold data, each after those it refers to. Partitions are reached through their parent, and the record
 * of migrations belongs to the schema, not to the data.
 */
export async function dataTables(client: Client): Promise<string[]> {
  const rows = await clientRows(
    client,
    { name: text, needs: list(text) },
    `
    SELECT c.relname AS name,
           coalesce(array_agg(DISTINCT r.relname::text) FILTER (WHERE r.relname IS NOT NULL), '{}') AS needs
    FROM pg_class c
    LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
    LEFT JOIN pg_class r ON r.oid = f.confrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> '_prisma_migrations'
    GROUP BY c.relname ORDER BY c.relname`,
  );
  const ordered: string[] = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const ready = waiting.filter(({ needs }) => needs.every((table) => ordered.includes(table)));
    if (ready.length === 0) throw new Error('the tables refer to each other in a circle');
    ordered.push(...ready.map(({ name }) => name));
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}
