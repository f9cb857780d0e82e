import { Prisma } from '../generated/client.js';
import type { FactsRow } from './facts-row.js';

/** As text in files. */
const JSON_COLUMNS = ['signals', 'factors', 'shadow'];

/** Archived checks in the place of the table, so that a statement reads them as it reads stored ones. */
export const asStored = (rows: readonly FactsRow[]): Prisma.Sql =>
  Prisma.sql`jsonb_populate_recordset(NULL::check_logs, ${JSON.stringify(rows.map(withJson))}::jsonb)`;

const withJson = (row: FactsRow): object => ({
  ...row,
  ...Object.fromEntries(JSON_COLUMNS.map((name) => [name, JSON.parse(String(row[name] ?? null))])),
});
