import { randomBytes, randomFillSync } from 'node:crypto';
import { INTERNAL_TOKEN_HEADER, identityPath, projectPath } from '@verdict/contracts/control-plane-api.js';
import { apiKeyHints, createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { type HttpRequest, http } from './http.js';
import { openSql } from './query.js';
import type { Environments } from './stack-environments.js';

/** A running stack in words, so that one process can tell another where it is. */
export interface StackFacts {
  readonly database: { readonly url: string };
  readonly redis: { readonly url: string };
  /** The secrets and addresses that the services share, to start another instance beside them. */
  readonly environments: Environments;
  /** `http://127.0.0.1:N/api/v1/`, one per gateway. */
  readonly baseUrls: readonly string[];
}

export type SeededAccount = Readonly<
  Record<'email' | 'password' | 'accountId' | 'apiKey' | 'apiKeyId', string>
>;

/** The password of every test's account, and its argon2id hash at the least cost. */
const PASSWORD = 'correct-horse-battery-staple';
const HASH = '$argon2id$v=19$m=8,t=1,p=1$PrkfXksFL16tOkjAQuhIsg$xjHHEYFyGpYv3o0fYaFML2cb/W0jDjpbPpaJ1hCVNQg';

const createId = createIdFactory(Date.now, randomFillSync);

/** Requests to a gateway with this key; `path` is relative to /api/v1/. */
export const apiOf =
  (baseUrl: string, apiKey: string) =>
  <T = Record<string, unknown>>(path: string, { headers, ...rest }: HttpRequest = {}) =>
    http<T>(`${baseUrl}${path}`, { ...rest, headers: { 'x-api-key': apiKey, ...headers } });

/** A fresh account on a running stack, and what a test does with both. */
export async function viewStack({ database, environments, baseUrls }: StackFacts, ownPlan?: string) {
  const { sql, end } = openSql(database.url);

  /** Makes an account with a user and a key; by SQL, because the `seed` program takes 1.5 s. */
  async function createAccount(plan = 'free'): Promise<SeededAccount> {
    const [accountId, apiKeyId, apiKey] = [createId('acc'), createId('key'), createApiKey(randomFillSync)];
    const email = `${randomBytes(6).toString('hex')}@example.com`;
    const { prefix, lastFour } = apiKeyHints(apiKey);
    await sql(
      `WITH account AS (INSERT INTO accounts (id, name, plan, projected_version) VALUES ($1, $2, $3, 1)),
            owner AS (INSERT INTO users (id, account_id, email, password_hash) VALUES ($4, $1, $2, $5))
       INSERT INTO api_keys (id, account_id, name, prefix, last_four, secret_hash) VALUES ($6, $1, 'Demo', $7, $8, $9)`,
      [accountId, email, plan, createId('usr'), HASH, apiKeyId, prefix, lastFour, hashApiKey(apiKey)],
    );
    // Has the control plane write into Redis what the gateway asks there, as for an account that Redis has lost.
    const { INTERNAL_PORT, INTERNAL_TOKEN } = environments['control-plane'];
    const url = `http://127.0.0.1:${INTERNAL_PORT}`;
    const headers = { [INTERNAL_TOKEN_HEADER]: String(INTERNAL_TOKEN) };
    const answers = await Promise.all([
      http(`${url}${projectPath(accountId)}`, { method: 'POST', headers }),
      http(`${url}${identityPath(hashApiKey(apiKey))}`, { headers }),
    ]);
    const refused = answers.find(({ status }) => status !== 200);
    if (refused) throw new Error(`the account could not be projected: ${refused.text}`);
    return { email, password: PASSWORD, accountId, apiKey, apiKeyId };
  }

  const account = await createAccount(ownPlan);
  return { ...account, sql, end, createAccount, api: apiOf(baseUrls[0] ?? '', account.apiKey) };
}
