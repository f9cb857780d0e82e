import { CHECK_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import Fastify from 'fastify';

/** The lower floor: a bare Fastify POST with the schemas of /check/ that does nothing at all. */
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });

app.post(
  CHECK_PATH,
  { schema: { body: CheckBodySchema, response: { 200: CheckResultSchema } } },
  async (request) => ({
    success: true,
    id: 'log_01KA3Q0000ABCDEFGHJKMNPQRS',
    email: request.body.email,
    ip: request.body.ip ?? null,
    decision: 'allow',
    risk_score: 5,
    signals: { disposable_email: false, mx_valid: true, free_provider: true },
    reasons: ['Free consumer email provider'],
    created_at: '2026-11-14T23:59:16.123456+00:00',
  }),
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
console.log('ready');
process.once('SIGTERM', () => app.close());
