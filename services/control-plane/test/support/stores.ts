import { connectDatabase, type Database } from '@verdict/db/database/client.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { startRedis, type TestRedis } from '@verdict/local-stack/start-redis.js';
import { connectForRequests, type RedisConnection } from '@verdict/redis-store/connect.js';
import type { Test } from 'tap';

/** A Postgres database and a Redis of this test file's own, gone when it ends. */
export interface Stores {
  /** As a control plane reaches it; `db` is the owner's. */
  readonly databaseUrl: string;
  readonly ownerUrl: string;
  readonly redisUrl: string;
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly server: TestRedis;
}

export async function startStores(t: Test): Promise<Stores> {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  const db = connectDatabase({ url: database.url, name: 'test' });
  t.teardown(() => db.$disconnect());
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
  await redis.connect();
  t.teardown(() => redis.disconnect());
  const urls = { databaseUrl: database.urlOf('control_plane'), ownerUrl: database.url, redisUrl: server.url };
  return { ...urls, db, redis, server };
}
