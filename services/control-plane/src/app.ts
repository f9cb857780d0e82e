import { API_PREFIX, FORWARDED_BODY_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { answerForNode } from '@verdict/service-kit/answer-for-node.js';
import { installErrorHandling } from '@verdict/service-kit/error-handling.js';
import { invalidRequest, notFound } from '@verdict/service-kit/errors.js';
import { followRequests, type InFlight } from '@verdict/service-kit/follow-requests.js';
import { listenerOptions } from '@verdict/service-kit/listener-options.js';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import { authenticate } from './auth/authenticate.js';
import { authenticateKeyOrToken } from './auth/authenticate-key-or-token.js';
import { requireOperator } from './auth/require-operator.js';
import { registerTokens } from './auth/tokens.js';
import type { Dependencies } from './dependencies.js';
import type { ControlPlaneApp } from './http/control-plane-app.js';
import { convertQueryNumbers } from './http/query-numbers.js';
import { registerRateLimits } from './http/rate-limits.js';
import { logRequests } from './http/request-log.js';
import { API_VERSION } from './openapi/api-version.js';
import { openApiRoute, registerOpenApi } from './openapi/register-openapi.js';
import { auditRoute } from './routes/audit/audit.js';
import { activateRoute } from './routes/auth/activate.js';
import { askToConfirmRoute, confirmAddressRoute } from './routes/auth/confirm-address.js';
import { deleteMeRoute } from './routes/auth/delete-me.js';
import { loginRoute } from './routes/auth/login.js';
import { meRoutes } from './routes/auth/me.js';
import { registerRoute } from './routes/auth/register.js';
import { resetPasswordRoutes } from './routes/auth/reset-password.js';
import { secondFactorRoutes } from './routes/auth/second-factor.js';
import { sessionRoutes } from './routes/auth/sessions.js';
import { settingsRoute } from './routes/auth/settings.js';
import { tokenRoutes } from './routes/auth/tokens.js';
import { invoiceRoutes } from './routes/billing/invoices.js';
import { statementRoutes } from './routes/billing/statements.js';
import { subscriptionRoutes } from './routes/billing/subscription.js';
import { exportRoute } from './routes/export/export.js';
import { jobResultRoutes } from './routes/jobs/job-results.js';
import { jobRoutes } from './routes/jobs/jobs.js';
import { uploadJobRoute } from './routes/jobs/upload-job.js';
import { changeKeyRoutes } from './routes/keys/change-key.js';
import { createKeyRoute } from './routes/keys/create-key.js';
import { listKeysRoutes } from './routes/keys/list-keys.js';
import { changeListsRoutes } from './routes/lists/change-lists.js';
import { impactRoutes } from './routes/lists/impact.js';
import { importListsRoutes } from './routes/lists/import-lists.js';
import { readListsRoutes } from './routes/lists/read-lists.js';
import { evidenceRoute } from './routes/logs/evidence.js';
import { logRoutes } from './routes/logs/logs.js';
import { operatorAccountRoutes } from './routes/operator/accounts.js';
import { monthPapersRoutes } from './routes/operator/month-papers.js';
import { operatorMonthRoutes } from './routes/operator/months.js';
import { planRequestRoutes } from './routes/operator/plan-requests.js';
import { operatorSystemRoute } from './routes/operator/system.js';
import { usageRoutes } from './routes/usage/usage.js';
import { changeEndpointsRoutes } from './routes/webhooks/change-endpoints.js';
import { readDeliveriesRoutes } from './routes/webhooks/read-deliveries.js';
import { readEndpointsRoutes } from './routes/webhooks/read-endpoints.js';
import { sendAgainRoutes } from './routes/webhooks/send-again.js';
import { answerWithPage, registerWebFiles } from './web/serve-web.js';

export interface Listener {
  readonly app: ControlPlaneApp;
  readonly inFlight: InFlight;
}

/** What the gateway forwards: first what every request passes, then the routes. */
export async function createApp(
  deps: Dependencies,
  onRoute: (route: RouteOptions) => void = () => undefined,
): Promise<Listener> {
  const { config, db, log, redis } = deps;
  const app = Fastify(
    listenerOptions({
      log,
      createRequestId: () => deps.createId('req'),
      trustProxy: config.TRUST_PROXY,
      bodyLimitBytes: FORWARDED_BODY_BYTES_MAX,
    }),
  ) as unknown as ControlPlaneApp;

  const inFlight = followRequests(app as unknown as FastifyInstance, deps.metrics.registry);
  installErrorHandling(app, log, {
    unknownAddress: answerWithPage(config.DASHBOARD_DIRECTORY),
    who: ({ caller }) => ({ accountId: caller?.account.id }),
  });
  // JSON or nothing: Fastify would hand plain text to the handlers as a body.
  app.removeContentTypeParser('text/plain');
  answerForNode(app.server);
  logRequests(app, log);
  app.decorateRequest('caller');
  app.decorateRequest('keyCaller');
  app.addHook('onRoute', onRoute);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    if (deps.readiness.draining) reply.header('connection', 'close');
  });
  const limitRegistrations = await registerRateLimits(app, {
    redis,
    requestsPerMinute: config.REQUESTS_PER_MINUTE,
    registrationsPerHour: config.REGISTRATIONS_PER_HOUR,
  });
  // Postgres has no zero byte: nothing of ours is named by one, and a parameter that holds one would end as a failure of ours.
  app.addHook('preValidation', async ({ url }) => {
    const at = url.indexOf('%00');
    if (at === -1) return;
    throw at < `${url}?`.indexOf('?') ? notFound() : invalidRequest('The query holds a zero byte.');
  });
  app.addHook('preValidation', convertQueryNumbers);
  await registerTokens(app, deps.signingKeys, config.ACCESS_TOKEN_SECONDS);

  await registerWebFiles(app, config.DASHBOARD_DIRECTORY);
  await registerOpenApi(app, API_VERSION);
  openApiRoute(app);

  await app.register(
    async (open: ControlPlaneApp) => {
      settingsRoute(open, deps);
      registerRoute(open, deps, limitRegistrations);
      activateRoute(open, deps);
      confirmAddressRoute(open, deps);
      resetPasswordRoutes(open, deps);
      loginRoute(open, deps);
      tokenRoutes(open, deps);
    },
    { prefix: API_PREFIX },
  );

  await app.register(
    async (own: ControlPlaneApp) => {
      own.addHook('onRequest', async (request) => {
        request.caller = await authenticate(db, request);
      });
      meRoutes(own, deps);
      deleteMeRoute(own, deps);
      askToConfirmRoute(own, deps);
      secondFactorRoutes(own, deps);
      exportRoute(own, deps);
      sessionRoutes(own, deps);
      listKeysRoutes(own);
      createKeyRoute(own, deps);
      changeKeyRoutes(own, deps);
      readListsRoutes(own, deps);
      changeListsRoutes(own, deps);
      await importListsRoutes(own, deps);
      impactRoutes(own);
      logRoutes(own, deps);
      evidenceRoute(own, deps);
      usageRoutes(own, deps);
      subscriptionRoutes(own, deps);
      statementRoutes(own);
      invoiceRoutes(own);
      auditRoute(own, deps);
      readEndpointsRoutes(own);
      changeEndpointsRoutes(own, deps);
      readDeliveriesRoutes(own, deps);
      sendAgainRoutes(own, deps);
    },
    { prefix: API_PREFIX },
  );

  await app.register(
    async (jobs: ControlPlaneApp) => {
      jobs.addHook('onRequest', async (request) => {
        request.keyCaller = await authenticateKeyOrToken(db, request);
      });
      jobRoutes(jobs, deps);
      jobResultRoutes(jobs, deps);
      await uploadJobRoute(jobs, deps);
    },
    { prefix: API_PREFIX },
  );

  await app.register(
    async (operators: ControlPlaneApp) => {
      operators.addHook('onRequest', async (request) => {
        request.caller = await authenticate(db, request);
        await requireOperator(db, request);
      });
      operatorAccountRoutes(operators, deps);
      planRequestRoutes(operators, deps);
      operatorMonthRoutes(operators, deps);
      monthPapersRoutes(operators, deps);
      operatorSystemRoute(operators, deps);
    },
    { prefix: API_PREFIX },
  );
  return { app, inFlight };
}
