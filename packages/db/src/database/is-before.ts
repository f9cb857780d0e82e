import { Prisma } from '../generated/client.js';

/** Where a page of rows ended, newest first. */
export interface Position {
  readonly createdAt: string;
  readonly id: string;
}

/** Rows of a table, by its name or alias, that come after the page. */
export const isBefore = ({ createdAt, id }: Position, table: string): Prisma.Sql =>
  Prisma.sql`(${Prisma.raw(`${table}.created_at, ${table}.id`)}) < (${createdAt}::timestamptz, ${id})`;
