import { Prisma } from '../generated/client.js';

/** Behind every other text, in the order of bytes. */
const LAST = '\u{10ffff}';

/** Whether a text that an index holds in the order of bytes begins so: a range of it, whatever the locale. */
export const beginsWith = (column: Prisma.Sql, beginning: string): Prisma.Sql =>
  Prisma.sql`(${column} COLLATE "C" >= ${beginning} AND ${column} COLLATE "C" < ${beginning + LAST})`;
