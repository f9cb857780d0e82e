import type { Client } from 'pg';
import { requireShape, type Shape } from './columns.js';

/** Reads rows over a connection without Prisma. Only maintenance does, so every row is checked everywhere. */
export async function clientRows<Row extends object>(
  client: Client,
  shape: Shape<Row>,
  statement: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await client.query<Row>(statement, values && [...values]);
  for (const row of rows) requireShape(row, shape, statement);
  return rows;
}
