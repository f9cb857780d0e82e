import { fileURLToPath } from 'node:url';
import { startProcess } from '@verdict/local-stack/start-process.js';
import { NODE_ARGUMENTS } from './node-arguments.js';

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

/** An account with one key, made by the same program that `npm start` uses. */
export async function seedAccount(options: SeedOptions): Promise<SeededAccount> {
  const { email = 'demo@example.com', password = 'correct-horse-battery-staple' } = options;
  const entry = fileURLToPath(
    new URL('../../../services/control-plane/dist/src/seed-main.js', import.meta.url),
  );
  const seeding = startProcess(process.execPath, [...NODE_ARGUMENTS, entry], {
    ...process.env,
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl ?? '',
    REDIS_CLUSTER: options.redisCluster ?? '',
    REDIS_SHARDS: options.redisShards ?? '1',
    SEED_EMAIL: email,
    SEED_PASSWORD: password,
    ...(options.apiKey ? { SEED_API_KEY: options.apiKey } : {}),
    ...(options.plan ? { SEED_PLAN: options.plan } : {}),
    ...(options.plansFile ? { PLANS_FILE: options.plansFile } : {}),
  });
  const { code } = await seeding.exited;
  const line = seeding
    .output()
    .split('\n')
    .find((text) => text.startsWith('{') && text.includes('"api_key"'));
  if (code !== 0 || !line) throw new Error(`the account could not be seeded:\n${seeding.output()}`);
  const made = JSON.parse(line) as { account_id: string; api_key: string; api_key_id: string };
  return { email, password, accountId: made.account_id, apiKey: made.api_key, apiKeyId: made.api_key_id };
}
