import { DECISIONS } from '@verdict/domain/decision.js';
import { int } from '../database/columns.js';
import { Prisma } from '../generated/client.js';

/** The columns of counts by decision. */
export const DECISION_COUNTS = { allow: int, challenge: int, review: int, block: int };

const each = (count: (decision: string) => Prisma.Sql): Prisma.Sql =>
  Prisma.join(DECISIONS.map((decision) => Prisma.sql`${count(decision)} AS ${Prisma.raw(decision)}`));

/** Counts rows by their column `decision`. */
export const COUNT_BY_DECISION = each(
  (decision) => Prisma.sql`count(*) FILTER (WHERE decision = ${decision})::int`,
);

/** Adds up the column `checks` by the column `decision`. */
export const SUM_BY_DECISION = each(
  (decision) => Prisma.sql`coalesce(sum(checks) FILTER (WHERE decision = ${decision}), 0)::float8`,
);

/** Adds up rows that have the counts; those of other decisions than these are none. */
export const addUp = (decisions: readonly string[] = DECISIONS): Prisma.Sql =>
  each((decision) =>
    decisions.includes(decision) ? Prisma.sql`sum(${Prisma.raw(decision)})::float8` : Prisma.sql`0::float8`,
  );

/** All checks of rows that have the counts. */
export const sumOf = (decisions: readonly string[] = DECISIONS): Prisma.Sql =>
  Prisma.raw(`sum(${DECISIONS.filter((one) => decisions.includes(one)).join(' + ')})`);
