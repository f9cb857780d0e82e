import { hashApiKey } from '@verdict/domain/api-key.js';
import { resultOf, runProgram } from './program.js';
import { query } from './query.js';
import type { Secrets } from './secrets.js';

export const DEMO_EMAIL = 'demo@example.com';

export type SeededAccount = Readonly<
  Record<'email' | 'password' | 'accountId' | 'apiKey' | 'apiKeyId', string>
>;

/** Makes the demo account and its key with the `seed` program. */
export async function seedAccount(databaseUrl: string, redisUrl: string, secrets: Secrets) {
  const output = await runProgram(
    'seed',
    {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      // Made once, before anything else: a machine that is busy is waited for.
      REDIS_TIMEOUT_MS: 20_000,
      SEED_EMAIL: DEMO_EMAIL,
      SEED_PASSWORD: secrets.demo_password,
      SEED_API_KEY: secrets.demo_api_key,
    },
    'The demo account could not be made.',
  );
  return seededAccount(output, secrets.demo_password);
}

/** The account that the `seed` program printed. */
export function seededAccount(output: string, password: string): SeededAccount {
  const made = resultOf<Record<'email' | 'account_id' | 'api_key' | 'api_key_id', string>>(output);
  const { email, account_id: accountId, api_key: apiKey, api_key_id: apiKeyId } = made;
  return { email, password, accountId, apiKey, apiKeyId };
}

/** The demo account of an earlier start, or null where this database has none. */
export async function findSeededAccount(
  databaseUrl: string,
  secrets: Secrets,
): Promise<SeededAccount | null> {
  const { demo_password: password, demo_api_key: apiKey } = secrets;
  if (!apiKey) return null;
  const text = 'SELECT id, account_id FROM api_keys WHERE secret_hash = $1';
  const [key] = await query<{ id: string; account_id: string }>(databaseUrl, text, [hashApiKey(apiKey)]);
  return key ? { email: DEMO_EMAIL, password, apiKey, accountId: key.account_id, apiKeyId: key.id } : null;
}
