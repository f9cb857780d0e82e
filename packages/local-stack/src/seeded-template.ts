import { cloneDatabase } from './create-database.js';
import { type SeededAccount, seedAccount } from './seed-account.js';
import { startRedis } from './start-redis.js';
import { testEnvironment } from './test-environment.js';
import type { TestPostgres } from './test-postgres.js';

const SEEDED_TEMPLATE = 'verdict_seeded';

/** What a stack of a test begins with. */
interface Seeded {
  readonly template: string;
  readonly account: SeededAccount;
}

/**
 * A second template, with an account in it: to make one takes a process of its own, and a run starts some sixty stacks.
 * What Redis is to know of the account is written anew for each, since it depends on the stack's plans.
 */
export async function seedTemplate(
  { TEST_DATABASE_URL, TEST_DATABASE_TEMPLATE }: TestPostgres['environment'],
  redisBinary: string,
): Promise<{ readonly TEST_SEEDED: string }> {
  await cloneDatabase(TEST_DATABASE_URL, SEEDED_TEMPLATE, TEST_DATABASE_TEMPLATE);
  const databaseUrl = new URL(TEST_DATABASE_URL);
  databaseUrl.pathname = `/${SEEDED_TEMPLATE}`;
  const redis = await startRedis({ binary: redisBinary });
  try {
    const account = await seedAccount({ databaseUrl: databaseUrl.href, redisUrl: redis.url });
    return { TEST_SEEDED: JSON.stringify({ template: SEEDED_TEMPLATE, account } satisfies Seeded) };
  } finally {
    await redis.stop();
  }
}

export const readSeeded = (): Seeded => JSON.parse(testEnvironment('TEST_SEEDED')) as Seeded;
