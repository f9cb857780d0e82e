import { createInternalServer } from '@verdict/service-kit/internal-server.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from './dependencies.js';
import { queuePageRoute } from './routes/queue-page.js';

/** The listener for operators; no other service calls a worker. */
export async function createApp(deps: Dependencies): Promise<FastifyInstance> {
  const { config, db, redis, onQueueError } = deps;
  const app = createInternalServer({
    readiness: deps.readiness,
    metrics: deps.metrics.registry,
    log: deps.log,
    probes: {
      postgres: async () => void (await db.$executeRaw`SELECT 1`),
      redis: async () => void (await redis.ping()),
    },
  });
  const { OPERATOR_TOKEN: token, REDIS_SHARDS: shards } = config;
  if (token) await queuePageRoute(app, { redis, shards, token, onError: onQueueError });
  return app;
}
