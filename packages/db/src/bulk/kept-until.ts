import { JOB_DAYS } from '@verdict/contracts/jobs-api.js';
import { instant } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/**
 * When a job that changes now loses its rows. Takes the later of two clocks: by a Postgres that is weeks behind alone,
 * the rows would be deleted as soon as its clock is right again.
 */
export const keptUntil = (): Prisma.Sql =>
  Prisma.sql`greatest(now(), ${instant(new Date())}) + make_interval(days => ${JOB_DAYS})`;
