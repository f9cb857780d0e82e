import { Prisma } from '../generated/client.js';

/**
 * A timestamptz as the text every answer shows: microseconds and an offset. Through a JS Date it would lose three
 * digits, and a cursor made of it would skip or repeat rows.
 */
export const timestampText = (column: string): Prisma.Sql =>
  Prisma.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`);
