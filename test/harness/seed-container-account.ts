import { type SeededAccount, seededAccount } from '@verdict/local-stack/seed-account.js';
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
  return seededAccount(text, PASSWORD);
}
