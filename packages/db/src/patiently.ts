import type { Database } from './client.js';
import type { PrismaPromise } from './generated/internal/prismaNamespace.js';

/**
 * Runs one query without the pool's limit on its duration: counting a whole month takes as long as it takes. Not an
 * interactive transaction; the two statements are sent together.
 */
export async function patiently<T>(db: Database, query: PrismaPromise<T>): Promise<T> {
  const [, result] = await db.$transaction([db.$executeRaw`SET LOCAL statement_timeout = 0`, query]);
  return result;
}
