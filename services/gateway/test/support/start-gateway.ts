import { randomBytes } from 'node:crypto';
import { createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { http } from '@verdict/local-stack/http.js';
import { stackEnvironments } from '@verdict/local-stack/stack-environments.js';
import { startRedis, type TestRedis } from '@verdict/local-stack/start-redis.js';
import { startService, type TestService } from '@verdict/local-stack/start-service.js';
import { type CredentialTerms, credentialStatus } from '@verdict/redis-store/credential-status.js';
import { writeIdentity } from '@verdict/redis-store/identity.js';
import { credentialOfHash } from '@verdict/redis-store/keys.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import { readConfig } from '@verdict/service-kit/config.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import { createApp } from '../../src/app.js';
import { GatewayConfigSchema } from '../../src/config.js';
import { createDependencies } from '../../src/dependencies.js';
import type { GatewayApp } from '../../src/gateway-app.js';

interface Terms extends CredentialTerms {
  readonly limit?: number;
  readonly rate?: number;
  readonly active?: boolean;
  readonly mode?: 'live' | 'test';
  /** A key of the test's own, which settings may name before the account exists. */
  readonly apiKey?: string;
  /** Redis has lost the account, and Postgres does not know it either. */
  readonly lost?: boolean;
}

export interface TestAccount {
  readonly apiKey: string;
  readonly keyId: string;
}

export interface Person extends TestAccount {
  /** The `authorization` of a logged-in user. */
  readonly authorization: string;
  logOut(): Promise<void>;
}

export interface TestGateway {
  readonly app: GatewayApp;
  readonly scoring: TestService;
  readonly controlPlane: TestService;
  readonly redis: TestRedis;
  /** An account in Redis with one key. */
  account(terms?: Terms): Promise<TestAccount>;
  /** The same, where only the key is of interest. */
  customer(terms?: Terms): Promise<string>;
  /** A user who registered, logged in and created a key. */
  person(): Promise<Person>;
  close(): Promise<void>;
}

/** The composed gateway in this process; its neighbours are real processes. */
export async function startGateway(settings: Record<string, string> = {}): Promise<TestGateway> {
  const redisServer = await startRedis();
  const database = await createDatabase();
  const environments = await stackEnvironments(redisServer.url, database);
  const scoringPort = new URL(String(environments.gateway.SCORING_URLS)).port;
  const [scoring, controlPlane] = await Promise.all([
    startService('scoring', { ...environments.scoring, PORT: scoringPort }),
    startService('control-plane', environments['control-plane']),
  ]);
  const own = Object.entries({ ...environments.gateway, ...settings });
  const config = readConfig(
    GatewayConfigSchema,
    Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
  );
  const deps = await createDependencies(config, createLogger('gateway', 'silent'), null);
  const { app } = await createApp(deps);
  deps.readiness.ready();
  const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));

  async function account(given: Terms = {}): Promise<TestAccount> {
    const { limit = 100, rate = 1_000, active = true, mode = 'live', lost = false, ...own } = given;
    const { apiKey = createApiKey((bytes) => void randomBytes(bytes.length).copy(bytes), mode), ...terms } =
      own;
    const keyHash = hashApiKey(apiKey);
    const [accountId, keyId] = [createId('acc'), createId('key')];
    await writeIdentity(deps.redis, keyHash, { accountId, keyId });
    if (lost) return { apiKey, keyId };
    const store = { redis: deps.redis, shards: 1 };
    const status = credentialStatus(active, { ...terms, ...(mode === 'test' && { testRate: 50 }) });
    await projectAccount(store, {
      accountId,
      version: 1,
      plan: 'free',
      limit,
      rate,
      used: [],
      credentials: [credentialOfHash(keyHash), keyId].map((name) => ({ name, status })),
      listsVersion: 0,
      lists: [],
    });
    return { apiKey, keyId };
  }

  async function person(): Promise<Person> {
    const url = (path: string) => `${controlPlane.url}/api/v1/${path}`;
    const json = {
      email: `${randomBytes(6).toString('hex')}@example.com`,
      password: 'vivid-otter-harbour-9',
    };
    await http(url('auth/users/'), { json });
    const login = await http<{ access: string; refresh: string }>(url('auth/jwt/create/'), { json });
    const authorization = `Bearer ${login.body.access}`;
    const made = await http<{ api_key: string; key: { id: string } }>(url('dashboard/keys/'), {
      headers: { authorization },
      json: { name: 'k' },
    });
    if (made.status !== 201) throw new Error(made.text);
    return {
      apiKey: made.body.api_key,
      keyId: made.body.key.id,
      authorization,
      async logOut() {
        const left = await http(url('auth/jwt/logout/'), { json: { refresh: login.body.refresh } });
        if (left.status !== 200) throw new Error(left.text);
      },
    };
  }

  return {
    app,
    scoring,
    controlPlane,
    redis: redisServer,
    account,
    customer: async (terms) => (await account(terms)).apiKey,
    person,
    async close() {
      await app.close();
      await deps.close();
      await Promise.all([scoring.stop(), controlPlane.stop()]);
      await redisServer.stop();
      await database.drop();
    },
  };
}
