import type { Database } from '@verdict/db/client.js';
import { migrationNames } from '@verdict/db/migrate.js';
import { openRedis, type RedisConnection } from '@verdict/redis-store/connect.js';
import { messageOf } from '@verdict/service-kit/run-service.js';

/** What must be there at the start; later on the worker waits for it instead. */
export async function requireDependencies(db: Database, redis: RedisConnection): Promise<void> {
  await openRedis(redis);
  let applied: { name: string }[];
  try {
    await db.$queryRaw`SELECT 1`;
  } catch (error) {
    throw new Error(`Postgres cannot be reached (DATABASE_URL): ${lastLine(messageOf(error))}`);
  }
  try {
    applied =
      await db.$queryRaw`SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL`;
  } catch {
    applied = [];
  }
  const known = new Set(applied.map(({ name }) => name));
  const missing = (await migrationNames()).filter((name) => !known.has(name));
  if (missing.length > 0) {
    throw new Error(
      `the database lacks ${missing.length} migrations (first: ${missing[0]}); apply them first`,
    );
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? text;
