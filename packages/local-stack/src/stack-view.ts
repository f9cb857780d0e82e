import { randomBytes, randomFillSync } from 'node:crypto';
import { INTERNAL_TOKEN_HEADER, identityPath, projectPath } from '@verdict/contracts/control-plane-api.js';
import { apiKeyHints, createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { Pool, type QueryResultRow } from 'pg';
import { type HttpRequest, http } from './http.js';
import type { SeededAccount } from './seed-account.js';
import type { ServiceEnvironment, ServiceName } from './start-service.js';

/** A running stack in words, so that one process can tell another where it is. */
export interface StackFacts {
  readonly database: { readonly url: string };
  readonly redis: { readonly url: string };
  /** The secrets and addresses that the services share, to start another instance beside them. */
  readonly environments: Readonly<Record<ServiceName, ServiceEnvironment>>;
  /** `http://127.0.0.1:N/api/v1/`, one per gateway. */
  readonly baseUrls: readonly string[];
}

export type Sql = ReturnType<typeof openSql>['sql'];

const createId = createIdFactory(Date.now, randomFillSync);

/** Requests to a gateway with this key; `path` is relative to /api/v1/. */
export const apiOf =
  (baseUrl: string, apiKey: string) =>
  <T = Record<string, unknown>>(path: string, { headers, ...rest }: HttpRequest = {}) =>
    http<T>(`${baseUrl}${path}`, { ...rest, headers: { 'x-api-key': apiKey, ...headers } });

/** A pool as one function, as tests use it. */
export function openSql(connectionString: string) {
  const pool = new Pool({ connectionString, max: 4 });
  pool.on('error', () => {}); // a test may take the server away; the query that notices says so
  return {
    sql: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    end: () => pool.end(),
  };
}

/** Makes another account with a key and the password of the seeded one; by SQL, because the `seed` program takes 1.5 s. */
export async function createAccount(
  environments: StackFacts['environments'],
  sql: Sql,
  like: SeededAccount,
  plan = 'free',
): Promise<SeededAccount> {
  const [accountId, apiKeyId, apiKey] = [createId('acc'), createId('key'), createApiKey(randomFillSync)];
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const { prefix, lastFour } = apiKeyHints(apiKey);
  await sql(
    `WITH account AS (INSERT INTO accounts (id, name, plan) VALUES ($1, $2, $3)),
          owner AS (INSERT INTO users (id, account_id, email, password_hash)
                    SELECT $4, $1, $2, password_hash FROM users WHERE email = $5)
     INSERT INTO api_keys (id, account_id, name, prefix, last_four, secret_hash) VALUES ($6, $1, 'Demo', $7, $8, $9)`,
    [accountId, email, plan, createId('usr'), like.email, apiKeyId, prefix, lastFour, hashApiKey(apiKey)],
  );
  const account = { email, password: like.password, accountId, apiKey, apiKeyId };
  await projectAccount(environments, account);
  return account;
}

/** Has the control plane write into Redis what the gateway asks there, as it does for an account that Redis has lost. */
export async function projectAccount(
  environments: StackFacts['environments'],
  { accountId, apiKey }: SeededAccount,
): Promise<void> {
  const { INTERNAL_PORT, INTERNAL_TOKEN } = environments['control-plane'];
  const url = `http://127.0.0.1:${INTERNAL_PORT}`;
  const headers = { [INTERNAL_TOKEN_HEADER]: String(INTERNAL_TOKEN) };
  const answers = await Promise.all([
    http(`${url}${projectPath(accountId)}`, { method: 'POST', headers }),
    http(`${url}${identityPath(hashApiKey(apiKey))}`, { headers }),
  ]);
  const refused = answers.find(({ status }) => status !== 200);
  if (refused) throw new Error(`the account could not be projected: ${refused.text}`);
}
