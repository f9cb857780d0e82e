import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { connectForQueues, openRedis } from '@verdict/redis-store/connect.js';
import Fastify from 'fastify';

/**
 * The floor that counts: the same route, which awaits one entry in a stream of the same Redis (append-only file, synced
 * before it answers), sent together with those of its neighbours. Less than this, "logged before answered" cannot cost.
 */
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
const redis = connectForQueues({ url: process.env.REDIS_URL }, 'durable');
await openRedis(redis);
const STREAM = 'verdict:bench:durable';
/** Only so that a long run does not fill Redis; cut in whole blocks, which costs next to nothing. */
const ENTRIES_KEPT = 50_000;

app.post(
  CHECK_PATH,
  { schema: { body: CheckBodySchema, response: { 200: CheckResultSchema } } },
  async (request) => {
    const result = {
      success: true,
      id: 'log_01KA3Q0000ABCDEFGHJKMNPQRS',
      email: request.body.email,
      ip: request.body.ip ?? null,
      decision: 'allow',
      risk_score: 5,
      signals: { disposable_email: false, mx_valid: true, free_provider: true },
      reasons: ['Free consumer email provider'],
      created_at: '2026-11-14T23:59:16.123456+00:00',
    };
    await redis.xadd(STREAM, 'MAXLEN', '~', ENTRIES_KEPT, '*', 'check', JSON.stringify(result));
    return result;
  },
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
console.log('ready');
process.once('SIGTERM', async () => {
  await app.close();
  await redis.del(STREAM);
  redis.disconnect();
});
