import type { Database } from '@verdict/db/database/client.js';
import { missingMigrations } from '@verdict/db/database/schema-state.js';
import { openRedis, type RedisConnection } from '@verdict/redis-store/connect.js';
import { messageOf } from '@verdict/service-kit/run-service.js';

/** Dependencies that must exist at the start, each tried as often as `patiently` says; later the worker waits for them. */
export async function requireDependencies(
  db: Database,
  redis: RedisConnection,
  patiently: <T>(step: () => Promise<T>) => Promise<T>,
): Promise<void> {
  await patiently(() => openRedis(redis));
  const missing = await patiently(() =>
    missingMigrations(db).catch((error) => {
      throw new Error(`Postgres cannot be reached (DATABASE_URL): ${lastLine(messageOf(error))}`);
    }),
  );
  if (missing.length > 0) {
    throw new Error(
      `the database lacks ${missing.length} migrations (first: ${missing[0]}); apply them first`,
    );
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? text;
