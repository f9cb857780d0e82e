import { hashApiKey } from '@verdict/domain/api-key.js';
import { resultOf, runProgram } from './program.js';
import { query } from './query.js';
import type { Secrets } from './secrets.js';

export const DEMO_EMAIL = 'demo@example.com';

/** Makes the demo account with the `seed` program and returns the id of its key. */
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
  return resultOf<{ api_key_id: string }>(output).api_key_id;
}

/** The id of the demo key, if an earlier start made it in this database. */
export async function findDemoKey(databaseUrl: string, apiKey: string): Promise<string | undefined> {
  const text = 'SELECT id FROM api_keys WHERE secret_hash = $1';
  const [key] = await query<{ id: string }>(databaseUrl, text, [hashApiKey(apiKey)]);
  return key?.id;
}
