import { Prisma } from '../generated/client.js';

/**
 * A timestamptz as the text every answer shows: microseconds and an offset. Through a JS Date it would lose three
 * digits, and a cursor made of it would skip or repeat rows.
 */
export const timestampText = (column: string): Prisma.Sql =>
  Prisma.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`);

/** A moment as a parameter. Prisma sends a Date without its offset, so a database in another time zone would shift it. */
export const instant = (moment: Date): Prisma.Sql => Prisma.sql`${moment.toISOString()}::timestamptz`;
