import type { SeededAccount } from '@verdict/local-stack/seed-account.js';
import { type ComposeProject, compose } from './compose.js';

const PASSWORD = 'correct-horse-battery-staple';

/** An account with one key, made inside the stack by the program that `npm start` uses outside. */
export async function seedContainerAccount(
  project: ComposeProject,
  { email, plan }: { readonly email: string; readonly plan?: string },
): Promise<SeededAccount> {
  const settings = { SEED_EMAIL: email, SEED_PASSWORD: PASSWORD, ...(plan ? { SEED_PLAN: plan } : {}) };
  const text = await compose(
    project,
    ...['run', '--rm', '-T', '--no-deps', '--entrypoint', 'node'],
    ...Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ...['control-plane', 'dist/services/seed.js'],
  );
  const line = text.split('\n').find((one) => one.startsWith('{') && one.includes('"api_key"'));
  if (!line) throw new Error(`the account could not be seeded:\n${text}`);
  const made = JSON.parse(line) as { account_id: string; api_key: string; api_key_id: string };
  return {
    email,
    password: PASSWORD,
    accountId: made.account_id,
    apiKey: made.api_key,
    apiKeyId: made.api_key_id,
  };
}
