import { forAccount } from '@verdict/db/accounts/account-scope.js';
import type { Audit } from '@verdict/db/accounts/audited.js';
import type { Database } from '@verdict/db/database/client.js';
import { NO_TERMS } from '@verdict/db/keys/api-keys.js';
import { findKeyIdentity } from '@verdict/db/keys/find-key-identity.js';
import { createUser, findLogin } from '@verdict/db/people/users.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashApiKey, isTestApiKey, isWellFormedApiKey } from '@verdict/domain/api-key.js';
import type { CreateId } from '@verdict/domain/id.js';
import { DEFAULT_PLAN, type Plans } from '@verdict/domain/plans.js';
import { newSecret, storedForm } from './auth/new-secret.js';
import type { Passwords } from './auth/passwords.js';
import { knownUser } from './auth/passwords.js';
import type { SeedConfig } from './config.js';
import { planOf } from './http/plan-of.js';

interface SeedDependencies {
  readonly db: Database;
  readonly plans: Plans;
  readonly passwords: Passwords;
  readonly createId: CreateId;
  readonly project: (accountId: string) => Promise<boolean>;
}

/** A user, an account and a key, made where they are missing: seeding twice is seeding once. */
export async function seed(config: SeedConfig, deps: SeedDependencies) {
  const parsed = parseEmail(config.SEED_EMAIL);
  if (!parsed.ok) throw new Error(`SEED_EMAIL: ${parsed.message}`);
  const email = parsed.address.canonical;
  const accountId = await findOrCreateAccount(email, config, deps);
  const { keyId, value } = await findOrCreateKey(accountId, config.SEED_API_KEY, deps);
  await deps.project(accountId);
  return { email, account_id: accountId, api_key_id: keyId, api_key: value };
}

async function findOrCreateAccount(
  email: string,
  config: SeedConfig,
  deps: SeedDependencies,
): Promise<string> {
  const { db, plans, passwords, createId } = deps;
  const plan = config.SEED_PLAN ?? DEFAULT_PLAN;
  if (!plans.has(plan)) throw new Error(`SEED_PLAN: there is no plan "${plan}"`);
  const existing = await findLogin(db, email);
  if (existing) return existing.accountId;
  const userId = createId('usr');
  const accountId = createId('acc');
  const passwordHash = await passwords.hash(config.SEED_PASSWORD, knownUser(userId, undefined));
  const audit = seedAudit(createId, 'user.registered', userId);
  await createUser(db, { userId, accountId, email, name: null, passwordHash, plan }, audit);
  // Another process may have created it meanwhile.
  return (await findLogin(db, email))?.accountId ?? accountId;
}

async function findOrCreateKey(
  accountId: string,
  wanted: string | undefined,
  { db, plans, createId }: SeedDependencies,
): Promise<{ keyId: string; value: string }> {
  if (wanted !== undefined && !isWellFormedApiKey(wanted)) throw new Error('SEED_API_KEY is not an API key');
  const present = wanted === undefined ? null : await findKeyIdentity(db, hashApiKey(wanted));
  if (present && present.accountId !== accountId) throw new Error('SEED_API_KEY belongs to another account');
  if (present && wanted !== undefined) return { keyId: present.keyId, value: wanted };

  const keyId = createId('key');
  const secret = wanted === undefined ? newSecret() : storedForm(wanted);
  const audit = seedAudit(createId, 'key.created', keyId);
  const account = forAccount(db, accountId);
  const { keysEver } = await planOf(plans, account);
  const { rows } = await account.keys.create(
    keyId,
    { ...NO_TERMS, name: 'Demo', mode: isTestApiKey(secret.value) ? 'test' : 'live' },
    secret,
    keysEver,
    audit,
  );
  if (rows.length === 0) throw new Error('the account has five API keys already');
  return { keyId, value: secret.value };
}

const seedAudit = (createId: CreateId, action: string, target: string): Audit => ({
  id: createId('aud'),
  userId: null,
  ip: null,
  requestId: null,
  action,
  target,
});
