import { resultOf } from '@verdict/local-stack/program.js';
import type { SeededAccount } from '@verdict/local-stack/stack-view.js';
import { type ComposeProject, compose } from './compose.js';

const PASSWORD = 'correct-horse-battery-staple';

/** An account with one key, made inside the stack by the program that `npm start` uses outside. */
export async function seedContainerAccount(
  project: ComposeProject,
  { email, plan }: { readonly email: string; readonly plan: string },
): Promise<SeededAccount> {
  const settings = { SEED_EMAIL: email, SEED_PASSWORD: PASSWORD, SEED_PLAN: plan };
  const text = await compose(
    project,
    ...['run', '--rm', '-T', '--no-deps', '--entrypoint', 'node'],
    ...Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ...['control-plane', 'dist/services/seed.js'],
  );
  const made = resultOf<Record<'account_id' | 'api_key' | 'api_key_id', string>>(text);
  const { account_id: accountId, api_key: apiKey, api_key_id: apiKeyId } = made;
  return { email, password: PASSWORD, accountId, apiKey, apiKeyId };
}
