import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { CHECK_BODY_BYTES_MAX } from '@verdict/contracts/check-api.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { answerForNode } from '@verdict/service-kit/answer-for-node.js';
import { noteAttached, requireHandlers } from '@verdict/service-kit/attached-routes.js';
import { installErrorHandling } from '@verdict/service-kit/error-handling.js';
import { followRequests } from '@verdict/service-kit/follow-requests.js';
import { enforceLeastRate } from '@verdict/service-kit/least-rate.js';
import { listenerOptions } from '@verdict/service-kit/listener-options.js';
import { acceptGzippedJson } from '@verdict/service-kit/unpack-body.js';
import Fastify from 'fastify';
import { accountOf } from './answers/account-of.js';
import { observeAnswers } from './answers/observe-answers.js';
import { registerFailedAuthLimit } from './auth/failed-auth-limit.js';
import { slowRefusals } from './auth/slow-refusals.js';
import { registerTokenVerification } from './auth/verify-token.js';
import type { Dependencies } from './dependencies.js';
import { forwardPages, forwardRoutes } from './forward/forward-routes.js';
import { createRequestLimit } from './forward/limit-requests.js';
import { checkRoute } from './routes/check.js';
import { checkBatchRoute } from './routes/check-batch.js';
import { openRoutes } from './routes/open.js';
import { receiveHookRoute } from './routes/receive-hook.js';
import { statusRoute } from './routes/status.js';
import { tryRoute } from './routes/try.js';
import { uploadJobRoute } from './routes/upload-job.js';
import { usageRoute } from './routes/usage.js';
import { traceRequests } from './tracing/trace-requests.js';

/** Checks that guests of the front page may try, by client address. */
const TRIES_PER_MINUTE = 10;

/** The public listener: what every request passes, then the routes. */
export async function createApp(deps: Dependencies) {
  const { config } = deps;
  const app = Fastify(
    listenerOptions({
      log: deps.log,
      createRequestId: () => deps.createId('req'),
      trustProxy: config.TRUST_PROXY,
      bodyLimitBytes: CHECK_BODY_BYTES_MAX,
      headersTimeoutMs: 5_000,
    }),
  ).withTypeProvider<TypeBoxTypeProvider>();

  const traced = deps.tracing && { tracing: deps.tracing, stepOf: traceRequests(app, deps.tracing) };
  const inFlight = followRequests(
    app,
    deps.metrics.registry,
    observeAnswers({
      log: deps.log,
      slowMs: config.SLOW_ANSWER_MS,
      load: deps.load,
      keyUses: deps.keyUses,
      ...(traced && { traced }),
    }),
  );
  const countFailure = await registerFailedAuthLimit(app, {
    redis: deps.redis,
    perMinute: config.AUTH_FAILURES_PER_MINUTE,
    blockedClients: deps.blockedClients,
  });
  slowRefusals(app, config.AUTH_FAILURES_PER_MINUTE);
  const limitRequests = createRequestLimit(app, config.REQUESTS_PER_MINUTE);
  installErrorHandling(app, deps.log, {
    unknownAddress: forwardPages(deps.forwarder, limitRequests),
    who: (request) => ({ accountId: accountOf(request), keyId: request.credentials?.key?.keyId }),
    onRefused: deps.refused.note,
  });
  // JSON or nothing: Fastify would read text too, and blame the body for its header.
  app.removeContentTypeParser('text/plain');
  acceptGzippedJson(app);
  answerForNode(app.server);
  app.decorateRequest('credentials');
  app.decorateRequest('stages');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('vary', 'accept-encoding, authorization, x-api-key');
    reply.header('x-content-type-options', 'nosniff');
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
    if (deps.readiness.draining) reply.header('connection', 'close');
    done();
  });

  await registerTokenVerification(app, config.JWT_PUBLIC_KEYS);

  const attached = noteAttached(app);
  checkRoute(app, deps, countFailure);
  checkBatchRoute(app, deps, countFailure);
  tryRoute(app, deps, createRequestLimit(app, TRIES_PER_MINUTE, 'tries'));
  statusRoute(app, deps, countFailure);
  usageRoute(app, deps, countFailure);
  await receiveHookRoute(app, deps, countFailure);
  requireHandlers(attached, Object.values(VALIDATION_ROUTES));
  await uploadJobRoute(app, deps, { countFailure, limitRequests });
  openRoutes(app, deps.readiness, config.TRY_API_KEY !== undefined);
  await forwardRoutes(app, deps.forwarder, limitRequests);
  enforceLeastRate(app.server, deps.forwarder.shares.readingRate);
  return { app, inFlight };
}
