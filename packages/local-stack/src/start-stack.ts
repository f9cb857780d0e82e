import { join } from 'node:path';
import { killAll } from '../../../scripts/lib/start-process.mjs';
import type { Settings } from './child-environment.js';
import { createDatabase, type TestDatabase } from './create-database.js';
import { type StackEnvironmentOptions, stackEnvironments } from './stack-environments.js';
import { viewStack } from './stack-view.js';
import { type RedisOptions, startRedis } from './start-redis.js';
import { type ServiceName, startService } from './start-service.js';
import { TEMPLATE } from './test-server.js';

export interface StackOptions extends StackEnvironmentOptions {
  readonly gateways?: number;
  readonly workers?: number;
  readonly redis?: RedisOptions;
  /** By default a clone of the template. */
  readonly database?: TestDatabase;
  /** The address of a PostgreSQL of this test's own, which it may kill. */
  readonly postgres?: string | undefined;
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

async function assemble({
  gateways: gatewayCount = 1,
  workers: workerCount = 1,
  logs,
  ...options
}: StackOptions) {
  const database = options.database ?? (await createDatabase(TEMPLATE, options.postgres));
  const redis = await startRedis(options.redis);
  const environments = await stackEnvironments(redis.url, database, options);
  const start = (name: ServiceName, own: Settings = {}, i = 0) =>
    startService(name, { ...environments[name], ...own }, logs && join(logs, `${name}-${i}.log`));
  const alike = (name: ServiceName, count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => start(name, {}, i)));
  const scoringUrls = String(environments.gateway.SCORING_URLS).split(',');
  const [gateways, workers, scorings, controlPlane] = await Promise.all([
    alike('gateway', gatewayCount),
    alike('worker', workerCount),
    Promise.all(scoringUrls.map((url, i) => start('scoring', { PORT: new URL(url).port }, i))),
    start('control-plane'),
  ]);
  const baseUrls = gateways.map((gateway) => `${gateway.url}/api/v1/`);
  const facts = { redis, database, environments, baseUrls };
  const { end, ...view } = await viewStack(facts);
  return {
    ...facts,
    ...view,
    gateways,
    scorings,
    workers,
    controlPlane,
    services: [...gateways, ...scorings, ...workers, controlPlane],
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
