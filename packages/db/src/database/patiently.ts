import type { PrismaPromise } from '../generated/internal/prismaNamespace.js';
import type { Database } from './client.js';

const HOUR_MS = 3_600_000;

/**
 * Runs one query without the pool's limit on its duration: counting a whole month takes as long as it takes. Not an
 * interactive transaction; the statements are sent together, and Prisma's own limit of five seconds is lifted too. The
 * locks that `lock` takes are held until the query has ended.
 */
export async function patiently<T>(
  db: Database,
  query: PrismaPromise<T>,
  lock?: PrismaPromise<unknown>,
): Promise<T> {
  const limit = db.$executeRaw`SET LOCAL statement_timeout = 0`;
  if (!lock) return (await db.$transaction([limit, query], { timeout: HOUR_MS }))[1];
  return (await db.$transaction([limit, lock, query], { timeout: HOUR_MS }))[2];
}
