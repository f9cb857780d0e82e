import { hashApiKey } from '@verdict/domain/api-key.js';
import { runProgram } from './program.js';
import { query } from './query.js';

export const DEMO_EMAIL = 'demo@example.com';

export interface SeededAccount {
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
}

export interface SeedOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly password?: string;
  readonly apiKey?: string;
}

/** An account with one key: made once, found again later. */
export async function seedAccount(options: SeedOptions): Promise<SeededAccount> {
  const { password = 'correct-horse-battery-staple' } = options;
  const email = DEMO_EMAIL;
  const made = await runProgram<{ account_id: string; api_key: string; api_key_id: string }>(
    'seed',
    {
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl,
      REDIS_CLUSTER: '',
      REDIS_SHARDS: '1',
      // Made once, before anything else: a machine that is busy is waited for.
      REDIS_TIMEOUT_MS: 20_000,
      SEED_EMAIL: email,
      SEED_PASSWORD: password,
      ...(options.apiKey ? { SEED_API_KEY: options.apiKey } : {}),
    },
    'The demo account could not be made.',
  );
  return { email, password, accountId: made.account_id, apiKey: made.api_key, apiKeyId: made.api_key_id };
}

/** The account of a key that was seeded before, or null where this database has none. */
export async function findSeededAccount(
  databaseUrl: string,
  { email, password, apiKey }: Pick<SeededAccount, 'email' | 'password' | 'apiKey'>,
): Promise<SeededAccount | null> {
  const text = 'SELECT id, account_id FROM api_keys WHERE secret_hash = $1';
  const [key] = await query<{ id: string; account_id: string }>(databaseUrl, text, [hashApiKey(apiKey)]);
  return key ? { email, password, apiKey, accountId: key.account_id, apiKeyId: key.id } : null;
}
