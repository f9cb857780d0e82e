import { join } from 'node:path';
import { killAll } from '../../../scripts/lib/start-process.mjs';
import { createDatabase } from './create-database.js';
import { type StackEnvironmentOptions, stackEnvironments } from './stack-environments.js';
import { apiOf, createAccount, openSql, projectAccount } from './stack-view.js';
import { type RedisOptions, startRedis } from './start-redis.js';
import {
  type ServiceEnvironment,
  type ServiceName,
  startService,
  type TestService,
} from './start-service.js';
import { SEEDED, type TestServer, testServer } from './test-server.js';

export interface StackOptions extends StackEnvironmentOptions {
  readonly gateways?: number;
  readonly workers?: number;
  readonly redis?: RedisOptions;
  /** A PostgreSQL of this test's own, which it may kill. */
  readonly postgres?: TestServer | undefined;
  /** The folder that the services print to, for a reader in another process; by default this one's memory. */
  readonly logs?: string;
}

export type TestStack = Awaited<ReturnType<typeof startStack>>;

/** Redis, a database, an account and the four services as real processes, all of this test's own. */
export const startStack = (options: StackOptions = {}) =>
  assemble(options).catch((error) => {
    killAll();
    throw error;
  });

async function assemble(options: StackOptions) {
  const server = options.postgres ?? (await testServer());
  const { account } = server;
  const database = await createDatabase(SEEDED, server);
  const redis = await startRedis(options.redis);
  const environments = await stackEnvironments(options, redis.url, {
    controlPlane: database.urlOf('control_plane'),
    worker: database.urlOf('worker'),
  });
  const start = (name: ServiceName, settings: readonly ServiceEnvironment[]) =>
    Promise.all(
      settings.map((own, i) => {
        const log = options.logs && join(options.logs, `${name}-${i}.log`);
        return startService(name, { ...environments[name], ...own }, log);
      }),
    );
  const alike = (count = 1): ServiceEnvironment[] => Array.from({ length: count }, () => ({}));
  const scoringPorts = String(environments.gateway.SCORING_URLS)
    .split(',')
    .map((url) => ({ PORT: new URL(url).port }));
  const [workers, scorings, [controlPlane]] = await Promise.all([
    start('worker', alike(options.workers)),
    start('scoring', scoringPorts),
    start('control-plane', alike()) as Promise<[TestService]>,
  ]);
  await projectAccount(environments, account);
  const gateways = await start('gateway', alike(options.gateways));
  const { sql, end } = openSql(database.url);
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
    api: apiOf(baseUrls[0] ?? '', account.apiKey),
    sql,
    createAccount: (plan?: string) => createAccount(environments, sql, account, plan),
    /** The gateway lets go first, the worker after everything that feeds it. */
    async stop() {
      await end();
      for (const kind of [gateways, [controlPlane], scorings, workers])
        await Promise.all(kind.map((one) => one.stop()));
      await redis.stop();
      await database.drop();
    },
  };
}
