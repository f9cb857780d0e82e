import { type SeededAccount, seedAccount } from '@verdict/local-stack/seed-account.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import { PLANS_FILE } from './plans-file.js';

export interface SmallAccount extends SeededAccount {
  /** Checks of a month, as plans.json has it. */
  readonly limit: number;
}

/** A second account of the stack, whose month a test can use up. */
export async function seedSmallAccount({ database, redis }: TestStack): Promise<SmallAccount> {
  const account = await seedAccount({
    databaseUrl: database.url,
    redisUrl: redis.url,
    email: 'small@example.com',
    plan: 'small',
    plansFile: PLANS_FILE,
  });
  return { ...account, limit: 40 };
}
