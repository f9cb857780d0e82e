import { join } from 'node:path';
import { createDatabase } from './create-database.js';
import { type StackEnvironmentOptions, stackEnvironments } from './stack-environments.js';
import { apiOf, createAccount, openSql, projectAccount } from './stack-view.js';
import { type RedisOptions, startRedis } from './start-redis.js';
import { type ServiceEnvironment, type ServiceName, startService } from './start-service.js';
import { SEEDED, type TestServer, testServer } from './test-server.js';

export interface StackOptions extends StackEnvironmentOptions {
  readonly gateways?: number;
  readonly workers?: number;
  readonly redis?: RedisOptions;
  /** A PostgreSQL of this test's own, which it may kill. */
  readonly postgres?: TestServer | undefined;
  /** The stream that the services print to, for a reader in another process; by default this one's. */
  readonly logs?: string;
}

export type TestStack = Awaited<ReturnType<typeof startStack>>;

/** Redis, a database, an account and the four services as real processes, all of this test's own. */
export async function startStack(options: StackOptions = {}) {
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
) {
  const server = options.postgres ?? (await testServer());
  const { account } = server;
  const database = await createDatabase(SEEDED, server);
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
        Promise.allSettled(
          instances.map((own, i) => startService(name, { ...environments[name], ...own }, logOf(name, i))),
        ),
      ),
    );
    const started = settled.map((kind) =>
      kind.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    );
    for (const services of started) closing.push(() => Promise.all(services.map((one) => one.stop())));
    for (const one of settled.flat()) if (one.status === 'rejected') throw one.reason;
    return started;
  };
  const logOf = (name: string, i: number) => options.logs && join(options.logs, `${name}-${i}.log`);
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
  await projectAccount(environments, account);
  const [gateways = []] = await start([['gateway', alike(options.gateways)]]);

  const { sql, end } = openSql(database.url);
  closing.push(end);
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
    createAccount: (plan?: string) => createAccount({ environments }, sql, account, plan),
    stop,
  };
}
