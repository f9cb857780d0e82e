import { Pool, type QueryResultRow } from 'pg';
import { createDatabase, type TestDatabase } from './create-database.js';
import { type HttpAnswer, type HttpRequest, http } from './http.js';
import { projectAccount } from './project-account.js';
import type { SeededAccount } from './seed-account.js';
import { readSeeded } from './seeded-template.js';
import { type StackEnvironmentOptions, stackEnvironments } from './stack-environments.js';
import { type RedisOptions, startRedis, type TestRedis } from './start-redis.js';
import {
  type ServiceEnvironment,
  type ServiceName,
  startService,
  type TestService,
} from './start-service.js';

export interface StackOptions extends StackEnvironmentOptions {
  readonly gateways?: number;
  readonly workers?: number;
  readonly redis?: RedisOptions;
}

export interface TestStack extends SeededAccount {
  readonly redis: TestRedis;
  readonly database: TestDatabase;
  readonly gateways: readonly TestService[];
  readonly scorings: readonly TestService[];
  readonly workers: readonly TestService[];
  readonly controlPlane: TestService;
  /** The secrets and addresses that the services share, to start another instance beside them. */
  readonly environments: Readonly<Record<ServiceName, ServiceEnvironment>>;
  /** `http://127.0.0.1:N/api/v1/`, one per gateway. */
  readonly baseUrls: readonly string[];
  /** A request to the first gateway, with the seeded key; `path` is relative to /api/v1/. */
  api<T = Record<string, unknown>>(path: string, request?: HttpRequest): Promise<HttpAnswer<T>>;
  sql<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Redis, a database, an account and the four services as real processes, all of this test's own. */
export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const closing: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    return await assemble(options, closing, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function assemble(
  options: StackOptions,
  closing: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<TestStack> {
  const { template, account } = readSeeded();
  const database = await createDatabase(template);
  closing.push(() => database.drop());
  const redis = await startRedis(options.redis);
  closing.push(() => redis.stop());
  const environments = await stackEnvironments(options, redis.url, {
    controlPlane: database.urlOf('control_plane'),
    worker: database.urlOf('worker'),
  });

  // Side by side what does not ask each other. Closed in the opposite order: the gateway lets go first, the worker after
  // everything that feeds it.
  const start = async (kinds: readonly (readonly [ServiceName, readonly ServiceEnvironment[]])[]) => {
    const settled = await Promise.all(
      kinds.map(([name, instances]) =>
        Promise.allSettled(instances.map((own) => startService(name, { ...environments[name], ...own }))),
      ),
    );
    const started = settled.map((kind) =>
      kind.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    );
    for (const services of started) closing.push(() => Promise.all(services.map((one) => one.stop())));
    for (const one of settled.flat()) if (one.status === 'rejected') throw one.reason;
    return started;
  };
  const alike = (count = 1): ServiceEnvironment[] => Array.from({ length: count }, () => ({}));
  const scoringPorts = String(environments.gateway.SCORING_URLS)
    .split(',')
    .map((url) => ({ PORT: new URL(url).port }));
  const [workers = [], scorings = [], [controlPlane] = []] = await start([
    ['worker', alike(options.workers)],
    ['scoring', scoringPorts],
    ['control-plane', alike()],
  ]);
  if (!controlPlane) throw new Error('the control plane was not started');
  await projectAccount(
    controlPlane.internalUrl,
    String(environments['control-plane'].INTERNAL_TOKEN),
    account,
  );
  const [gateways = []] = await start([['gateway', alike(options.gateways)]]);

  const pool = new Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => {}); // a test may take the server away; the query that notices says so
  closing.push(() => pool.end());

  const baseUrls = gateways.map((gateway) => `${gateway.url}/api/v1/`);
  return {
    ...account,
    redis,
    database,
    gateways,
    scorings,
    workers,
    controlPlane,
    environments,
    baseUrls,
    api: (path, { headers, ...rest } = {}) =>
      http(`${baseUrls[0]}${path}`, { ...rest, headers: { 'x-api-key': account.apiKey, ...headers } }),
    sql: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    stop,
  };
}
