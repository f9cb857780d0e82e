import { runEntry } from './run-entry.js';

export interface SeededAccount {
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
}

export interface SeedOptions {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
  /** Instead of it, the nodes of a cluster. */
  readonly redisCluster?: string;
  readonly email?: string;
  readonly password?: string;
  readonly apiKey?: string;
  readonly plan?: string;
  readonly redisShards?: string;
  /** Where the plans are that `plan` names. */
  readonly plansFile?: string;
}

/** An account with one key: made once, found again later. */
export async function seedAccount(options: SeedOptions): Promise<SeededAccount> {
  const { email = 'demo@example.com', password = 'correct-horse-battery-staple' } = options;
  const made = await runEntry<{ account_id: string; api_key: string; api_key_id: string }>(
    'services/control-plane/dist/src/seed-main.js',
    {
      DATABASE_URL: options.databaseUrl,
      REDIS_URL: options.redisUrl ?? '',
      REDIS_CLUSTER: options.redisCluster ?? '',
      REDIS_SHARDS: options.redisShards ?? '1',
      // Made once, before anything else: a machine that is busy is waited for.
      REDIS_TIMEOUT_MS: 20_000,
      SEED_EMAIL: email,
      SEED_PASSWORD: password,
      ...(options.apiKey ? { SEED_API_KEY: options.apiKey } : {}),
      ...(options.plan ? { SEED_PLAN: options.plan } : {}),
      ...(options.plansFile ? { PLANS_FILE: options.plansFile } : {}),
    },
    'The demo account could not be made.',
  );
  return { email, password, accountId: made.account_id, apiKey: made.api_key, apiKeyId: made.api_key_id };
}
