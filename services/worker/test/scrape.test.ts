import type { Database } from '@verdict/db/database/client.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { connectForRequests, openRedis } from '@verdict/redis-store/connect.js';
import { Registry } from 'prom-client';
import t from 'tap';
import { createBillingGauges } from '../src/billing-gauges.js';

t.test('a scrape waits for neither store', async (t) => {
  const server = await startRedis();
  t.teardown(() => server.stop());
  const redis = connectForRequests({ url: server.url, timeoutMs: 3_600_000 }, 'scrape');
  t.teardown(() => redis.disconnect());
  await openRedis(redis);
  const silent: Pick<Database, '$queryRaw'> = { $queryRaw: () => new Promise<never>(() => {}) as never };
  const registry = new Registry();
  createBillingGauges(registry, { db: silent as Database, redis, graceMs: 0, diskBytes: 0 });
  await server.kill();
  t.match(
    await registry.metrics(),
    /verdict_invoices_unissued/,
    'each probe has a limit of its own, not the hour of Redis',
  );
});
