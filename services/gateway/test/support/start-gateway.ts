import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DATASETS_PATH, SCORE_PATH, SCORING_VERSION } from '@verdict/contracts/scoring-api.js';
import {
  ACCESS_TOKEN_TYPE,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from '@verdict/contracts/token-claims.js';
import { createApiKey, hashApiKey } from '@verdict/domain/api-key.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { createSigningJwk, type SigningJwk, signingKeyOf } from '@verdict/local-stack/signing-key.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
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

const VERSION = '2026-11-01';
const DATASETS = {
  disposable_domains: { count: 1, version: VERSION },
  free_providers: { version: VERSION },
  role_prefixes: { version: VERSION },
};
const none = { role_account: false, no_reply: false, relay: false, mx_unknown: false, plus_tag: false };
const VERDICT = {
  risk_score: 5,
  signals: { disposable_email: false, mx_valid: true, free_provider: true },
  extra: { ...none, suggestion: null },
  factors: [{ code: 'FREE_PROVIDER', points: 5, reason: 'The address uses a free consumer email provider' }],
  datasets: `${VERSION}/${VERSION}/${VERSION}`,
};

interface Terms extends CredentialTerms {
  readonly limit?: number;
  readonly rate?: number;
  readonly active?: boolean;
  readonly mode?: 'live' | 'test';
  /** Redis has lost the account, and Postgres does not know it either. */
  readonly lost?: boolean;
}

export interface TestAccount {
  readonly apiKey: string;
  readonly keyId: string;
  readonly accountId: string;
}

export interface TestGateway {
  readonly app: GatewayApp;
  readonly neighbours: { setAway(is: boolean): void };
  /** An account in Redis with one key. */
  account(terms?: Terms): Promise<TestAccount>;
  /** The same, where only the key is of interest. */
  customer(terms?: Terms): Promise<string>;
  /** The `authorization` of somebody who is logged in to the account. */
  token(accountId: string): string;
  close(): Promise<void>;
}

/** The gateway as it is composed, on a Redis of its own; its neighbours are one listener that answers as they would. */
export async function startGateway(settings: Record<string, string> = {}): Promise<TestGateway> {
  const jwk = createSigningJwk();
  const redisServer = await startRedis();
  const neighbours = await listen();
  const config = readConfig(GatewayConfigSchema, {
    REDIS_URL: redisServer.url,
    REDIS_TIMEOUT_MS: '20000',
    SCORING_URLS: neighbours.url,
    SCORING_DEADLINE_MS: '20000',
    CONTROL_PLANE_TIMEOUT_MS: '20000',
    CONTROL_PLANE_URL: neighbours.url,
    CONTROL_PLANE_INTERNAL_URL: neighbours.url,
    INTERNAL_TOKEN: randomBytes(16).toString('hex'),
    JWT_PUBLIC_KEYS: signingKeyOf(jwk).publicKeySet,
    ...settings,
  });
  const deps = await createDependencies(config, createLogger('gateway', 'silent'), null);
  const { app } = await createApp(deps);
  deps.readiness.ready();
  const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));

  async function account(given: Terms = {}): Promise<TestAccount> {
    const { limit = 100, rate = 1_000, active = true, mode = 'live', lost = false, ...terms } = given;
    const apiKey = createApiKey((bytes) => void randomBytes(bytes.length).copy(bytes), mode);
    const keyHash = hashApiKey(apiKey);
    const [accountId, keyId] = [createId('acc'), createId('key')];
    await writeIdentity(deps.redis, keyHash, { accountId, keyId });
    if (lost) return { apiKey, keyId, accountId };
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
    return { apiKey, keyId, accountId };
  }

  return {
    app,
    neighbours,
    account,
    customer: async (terms) => (await account(terms)).apiKey,
    token: (accountId) =>
      `Bearer ${signToken(jwk, { sub: createId('usr'), acc: accountId, sid: createId('ses') })}`,
    async close() {
      await app.close();
      await deps.close();
      await neighbours.close();
      await redisServer.stop();
    },
  };
}

function signToken(jwk: SigningJwk, claims: Record<string, string>): string {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, exp: now + 900 };
  const fixed = { typ: ACCESS_TOKEN_TYPE, iss: TOKEN_ISSUER, aud: TOKEN_AUDIENCE };
  const parts = [
    { alg: TOKEN_ALGORITHM, typ: 'JWT', kid: jwk.kid },
    { ...claims, ...fixed, ...times },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = sign(null, Buffer.from(signed), createPrivateKey({ key: jwk, format: 'jwk' }));
  return `${signed}.${signature.toString('base64url')}`;
}

/** Scoring, with one verdict for all, and a control plane that knows sessions and nothing else. Away means that whatever is asked is a 500. */
async function listen() {
  let away = false;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = away ? null : answerTo(request.url ?? '', body);
    response.writeHead(away ? 500 : answer === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(answer === null ? '{}' : `${JSON.stringify(answer)}\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setAway(is: boolean) {
      away = is;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerTo(url: string, body: string): unknown {
  if (url === DATASETS_PATH) return DATASETS;
  if (url === SCORE_PATH) {
    const { checks } = JSON.parse(body) as { checks: unknown[] };
    const judged = checks.map((_, i) => ({ i, verdict: 0 }));
    return { v: SCORING_VERSION, datasets: DATASETS, verdicts: [VERDICT], checks: judged };
  }
  if (/\/sessions\//.test(url)) return {};
  if (/\/usage\//.test(url))
    return { by_decision: { allow: 0, challenge: 0, review: 0, block: 0 }, by_day: [] };
  return null;
}
