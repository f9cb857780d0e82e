import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createInternalServer } from '@verdict/service-kit/internal-server.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify';
import type { Test } from 'tap';
import { Value } from 'typebox/value';
import { createApp } from '../../src/app.js';
import { type ControlPlaneConfig, ControlPlaneConfigSchema } from '../../src/config.js';
import { createDependencies, type Dependencies } from '../../src/dependencies.js';
import type { ControlPlaneApp } from '../../src/http/control-plane-app.js';
import { internalRoutes } from '../../src/internal/routes/gateway.js';
import { noteUndeclared } from './declared-takes.js';
import { noteUndocumented } from './documented-codes.js';
import type { Stores } from './stores.js';
import { findRecords, noteUnlimited } from './unlimited-records.js';

export const PASSWORD = 'vivid-otter-harbour-9';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  // Tests look into any answer; the OpenAPI test is what holds them to their schemas.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface Customer {
  readonly email: string;
  readonly access: string;
  readonly refresh: string;
  readonly userId: string;
  readonly accountId: string;
  readonly call: Call;
}

export interface ControlPlane {
  readonly app: ControlPlaneApp;
  readonly internal: FastifyInstance;
  readonly deps: Dependencies;
  readonly routes: readonly RouteOptions[];
  readonly call: Call;
  /** Registered and logged in. */
  customer(): Promise<Customer>;
}

/** A whole control plane in this process, over the given stores. */
export async function startControlPlane(
  t: Test,
  stores: Stores,
  settings: Partial<ControlPlaneConfig> = {},
): Promise<ControlPlane> {
  const config = testConfig(stores, settings);
  const deps = await createDependencies(config, createLogger('control-plane', 'silent'));
  const routes: RouteOptions[] = [];
  const missing = new Set<string>();
  const exceeded = new Set<string>();
  const unlimited = new Map<string, string>();
  const { app } = await createApp(deps, (route) => {
    routes.push(route);
    noteUndocumented(route, missing);
    noteUndeclared(route, exceeded);
    noteUnlimited(route, unlimited);
  });
  await app.ready();
  t.afterEach(async () => {
    if (missing.size > 0) throw new Error(`openapi.json lacks ${[...missing].join('; ')}`);
    if (exceeded.size > 0) throw new Error(`takes more than declared: ${[...exceeded].join('; ')}`);
    const records = await findRecords(deps.db, unlimited);
    if (records.length > 0) throw new Error(`a loop fills the audit log: ${records.join('; ')}`);
  });
  const internal = createInternalServer({
    readiness: deps.readiness,
    metrics: deps.metrics.registry,
    log: deps.log,
  });
  await internal.register(async (scope) => internalRoutes(scope, deps));
  t.teardown(async () => {
    await app.close();
    await internal.close();
    await deps.disconnect();
  });

  const call = callerOf(app);
  return { app, internal, deps, routes, call, customer: () => newCustomer(call) };
}

export function callerOf(app: Pick<FastifyInstance, 'inject'>, base: Record<string, string> = {}): Call {
  return async (method, path, body, headers = {}) => {
    const options: InjectOptions = {
      method: method as NonNullable<InjectOptions['method']>,
      url: path,
      headers: { ...base, ...headers },
      ...(body !== undefined && { payload: body as object }),
    };
    const reply = await app.inject(options);
    const json = /[/+]json\b/.test(String(reply.headers['content-type']));
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, unknown>,
      text: reply.body,
      body: json ? reply.json() : undefined,
    };
  };
}

async function newCustomer(call: Call): Promise<Customer> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const registered = await call('POST', '/api/v1/auth/users/', { email, password: PASSWORD });
  if (registered.status !== 201) throw new Error(`registration failed: ${registered.text}`);
  const tokens = await call('POST', '/api/v1/auth/jwt/create/', { email, password: PASSWORD });
  const { access, refresh } = tokens.body;
  return {
    email,
    access,
    refresh,
    userId: registered.body.user.id,
    accountId: registered.body.account.id,
    call: (method, path, body, headers) =>
      call(method, path, body, { authorization: `Bearer ${access}`, ...headers }),
  };
}

export function testConfig(stores: Stores, settings: Partial<ControlPlaneConfig>): ControlPlaneConfig {
  const { signing, jwks } = testKeys('test');
  return Value.Default(ControlPlaneConfigSchema, {
    REDIS_URL: stores.redisUrl,
    REDIS_TIMEOUT_MS: 20_000,
    DATABASE_URL: stores.databaseUrl,
    JWT_SIGNING_KEY: signing,
    JWT_PUBLIC_KEYS: jwks,
    INTERNAL_TOKEN: randomBytes(16).toString('hex'),
    EMAIL_HASH_SECRET: randomBytes(16).toString('hex'),
    SCORING_URLS: 'http://127.0.0.1:9',
    SCORING_DEADLINE_MS: 20_000,
    REGISTRATIONS_PER_HOUR: 1_000_000,
    CHANGES_PER_HOUR: 1_000_000,
    PASSWORD_HASH_COST: 'insecure-for-tests',
    // Most tests have no scoring, which a sign-up would wait for.
    SIGNUP_CHECKS: 'off',
    ...settings,
  }) as ControlPlaneConfig;
}

export function testKeys(kid: string): { signing: string; jwks: string; publicJwk: object } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid };
  return {
    signing: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid }),
    jwks: JSON.stringify({ keys: [publicJwk] }),
    publicJwk,
  };
}
