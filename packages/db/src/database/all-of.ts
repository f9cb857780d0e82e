import { Prisma } from '../generated/client.js';

/** Joins conditions with AND, and leaves out those of a filter that was not given. */
export const allOf = (...conditions: readonly (Prisma.Sql | false | null | undefined | '')[]): Prisma.Sql =>
  Prisma.join(
    conditions.filter((condition) => condition instanceof Prisma.Sql),
    ' AND ',
  );
