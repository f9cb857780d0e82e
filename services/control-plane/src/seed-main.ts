import { randomFillSync } from 'node:crypto';
import { connectDatabase } from '@verdict/db/database/client.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { agreeOnShards } from '@verdict/redis-store/agree-on-shards.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { readPlans } from '@verdict/service-kit/plans-file.js';
import { redisTarget } from '@verdict/service-kit/redis-settings.js';
import { messageOf } from '@verdict/service-kit/run-service.js';
import { createPasswords } from './auth/passwords.js';
import { loadSeedConfig } from './config.js';
import { projectFromPostgres } from './projection/project-account.js';
import { seed } from './seed.js';

/** `node seed-main.js`: prints {"email","account_id","api_key_id","api_key"} and exits with 0, or one sentence and 1. */
try {
  const config = loadSeedConfig();
  const plans = readPlans(config.PLANS_FILE);
  const db = connectDatabase({ url: config.DATABASE_URL, name: 'seed' });
  const redis = connectForRequests(redisTarget(config), 'seed');
  try {
    await redis.connect();
    const shards = config.REDIS_SHARDS;
    await agreeOnShards({ redis, shards });
    const seeded = await seed(config, {
      db,
      plans,
      passwords: await createPasswords(config.PASSWORD_HASH_COST),
      createId: createIdFactory(Date.now, randomFillSync),
      project: (accountId) =>
        projectFromPostgres({ db, redis, shards, plans, projectHook: () => null }, accountId),
    });
    process.stdout.write(`${JSON.stringify(seeded)}\n`);
  } finally {
    await db.$disconnect();
    redis.disconnect();
  }
} catch (error) {
  process.stderr.write(`the demo account could not be made: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
