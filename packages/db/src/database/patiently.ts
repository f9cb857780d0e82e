import type { PrismaPromise } from '../generated/internal/prismaNamespace.js';
import type { Database } from './client.js';

const HOUR_MS = 3_600_000;

/**
 * Runs one query without the pool's limit on its duration: counting a whole month takes as long as it takes. Not an
 * interactive transaction; the two statements are sent together, and Prisma's own limit of five seconds is lifted too.
 */
export async function patiently<T>(db: Database, query: PrismaPromise<T>): Promise<T> {
  const statements = [db.$executeRaw`SET LOCAL statement_timeout = 0`, query] as const;
  const [, result] = await db.$transaction([...statements], { timeout: HOUR_MS });
  return result;
}
