import type { Settings } from '@verdict/local-stack/child-environment.js';
import { startProxy, type TcpProxy } from '@verdict/local-stack/start-proxy.js';
import { startService, type TestService } from '@verdict/local-stack/start-service.js';
import { startStack, type TestStack } from '@verdict/local-stack/start-stack.js';
import { type OpenMetering, openMetering } from './open-metering.js';
import { PLANS_FILE } from './plans-file.js';

export interface ChaosStack {
  readonly stack: TestStack;
  readonly workers: readonly TestService[];
  /** Between the workers and Postgres: the server itself is usually shared with other tests. */
  readonly postgres: TcpProxy;
  readonly metering: OpenMetering;
  stop(): Promise<void>;
}

/** Two gateways, two workers, and a Postgres that can be taken away; a plan without limits that would get in the way. */
export async function startChaosStack(own?: string, gateway: Settings = {}): Promise<ChaosStack> {
  process.env.PLANS_FILE = PLANS_FILE;
  const stack = await startStack({ gateways: 2, workers: 0, postgres: own, env: { gateway } });
  const proxied = new URL(stack.database.urlOf('worker'));
  const postgres = await startProxy({ host: proxied.hostname, port: Number(proxied.port) });
  proxied.port = String(postgres.port);
  const settings = { ...stack.environments.worker, DATABASE_URL: proxied.href };
  const workers = await Promise.all([startService('worker', settings), startService('worker', settings)]);
  const metering = openMetering(stack.redis.url, stack.database.url);
  return {
    stack,
    workers,
    postgres,
    metering,
    async stop() {
      await metering.close();
      await Promise.all(workers.map((worker) => worker.kill()));
      await postgres.close();
      await stack.stop();
    },
  };
}
