import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { API_PREFIX, FORWARDED_BODY_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { answerForNode } from '@verdict/service-kit/answer-for-node.js';
import { installErrorHandling } from '@verdict/service-kit/error-handling.js';
import { invalidRequest, notFound } from '@verdict/service-kit/errors.js';
import { followRequests } from '@verdict/service-kit/follow-requests.js';
import { listenerOptions } from '@verdict/service-kit/listener-options.js';
import { acceptGzippedJson } from '@verdict/service-kit/unpack-body.js';
import Fastify, { type RouteOptions } from 'fastify';
import { accountSettingsRoutes } from './account/routes/account-settings.js';
import { auditRoutes } from './account/routes/audit.js';
import { deleteMeRoute } from './account/routes/delete-me.js';
import { exportRoute } from './account/routes/export.js';
import { meRoutes } from './account/routes/me.js';
import { settingsRoute } from './account/routes/settings.js';
import { authenticate } from './auth/authenticate.js';
import { authenticateKeyOrToken } from './auth/authenticate-key-or-token.js';
import { requireOperator } from './auth/require-operator.js';
import { activateRoute } from './auth/routes/activate.js';
import { askToConfirmRoute, confirmAddressRoute } from './auth/routes/confirm-address.js';
import { loginRoute } from './auth/routes/login.js';
import { registerRoute } from './auth/routes/register.js';
import { resetPasswordRoutes } from './auth/routes/reset-password.js';
import { secondFactorRoutes } from './auth/routes/second-factor.js';
import { sessionRoutes } from './auth/routes/sessions.js';
import { tokenRoutes } from './auth/routes/tokens.js';
import { registerTokens } from './auth/tokens.js';
import { invoiceAddressRoutes } from './billing/routes/invoice-address.js';
import { invoiceRoutes } from './billing/routes/invoices.js';
import { statementRoutes } from './billing/routes/statements.js';
import { subscriptionRoutes } from './billing/routes/subscription.js';
import type { Dependencies } from './dependencies.js';
import { type ControlPlaneApp, decorateCallers } from './http/control-plane-app.js';
import { forgetEmptyBody } from './http/forget-empty-body.js';
import { registerRegistrationLimit } from './http/limit-registrations.js';
import { convertQueryNumbers } from './http/query-numbers.js';
import { logRequests } from './http/request-log.js';
import { jobResultRoutes } from './jobs/routes/job-results.js';
import { jobRoutes } from './jobs/routes/jobs.js';
import { uploadJobRoute } from './jobs/routes/upload-job.js';
import { changeKeyRoutes } from './keys/routes/change-key.js';
import { createKeyRoute } from './keys/routes/create-key.js';
import { listKeysRoutes } from './keys/routes/list-keys.js';
import { changeListsRoutes } from './lists/routes/change-lists.js';
import { impactRoutes } from './lists/routes/impact.js';
import { importListsRoutes } from './lists/routes/import-lists.js';
import { readListsRoutes } from './lists/routes/read-lists.js';
import { evidenceRoute } from './logs/routes/evidence.js';
import { logRoutes } from './logs/routes/logs.js';
import { refusedRoute } from './logs/routes/refused.js';
import { API_VERSION } from './openapi/api-version.js';
import { openApiRoute, registerOpenApi } from './openapi/register-openapi.js';
import { operatorAccountRoutes } from './operator/routes/accounts.js';
import { monthDocumentsRoutes } from './operator/routes/month-documents.js';
import { operatorMonthRoutes } from './operator/routes/months.js';
import { planRequestRoutes } from './operator/routes/plan-requests.js';
import { operatorSystemRoute } from './operator/routes/system.js';
import { backtestRoutes } from './policies/routes/backtests.js';
import { policyRoutes } from './policies/routes/policies.js';
import { tryPolicyRoute } from './policies/routes/try-policy.js';
import { usePolicyRoutes } from './policies/routes/use-policy.js';
import { usageRoutes } from './usage/routes/usage.js';
import { answerWithPage, registerWebFiles } from './web/serve-web.js';
import { changeEndpointsRoutes } from './webhooks/routes/change-endpoints.js';
import { readDeliveriesRoutes } from './webhooks/routes/read-deliveries.js';
import { readEndpointsRoutes } from './webhooks/routes/read-endpoints.js';
import { sendAgainRoutes } from './webhooks/routes/send-again.js';

/** The routes that the gateway forwards to, after the hooks that every request passes. */
export async function createApp(
  deps: Dependencies,
  onRoute: (route: RouteOptions) => void = () => undefined,
) {
  const { config, log, redis } = deps;
  // Logins do not wait for whatever else the requests of others ask of Postgres.
  const auth = { ...deps, db: deps.authDb };
  const app = Fastify(
    listenerOptions({
      log,
      createRequestId: () => deps.createId('req'),
      trustProxy: config.TRUST_PROXY,
      bodyLimitBytes: FORWARDED_BODY_BYTES_MAX,
      // Gateways send whole requests: one that seems late was sent while this process stalled.
      headersTimeoutMs: 30_000,
    }),
  ).withTypeProvider<TypeBoxTypeProvider>();

  const inFlight = followRequests(app, deps.metrics.registry);
  installErrorHandling(app, log, {
    unknownAddress: answerWithPage(config.DASHBOARD_DIRECTORY),
    who: ({ authenticated }) => ({
      accountId: authenticated?.account.id,
      keyId: (authenticated && 'keyId' in authenticated && authenticated.keyId) || undefined,
    }),
    onRefused: deps.refused.note,
  });
  app.addHook('onClose', () => deps.refused.close());
  // JSON or nothing: Fastify would hand plain text to the handlers as a body.
  app.removeContentTypeParser('text/plain');
  acceptGzippedJson(app);
  answerForNode(app.server);
  logRequests(app, log);
  decorateCallers(app);
  app.addHook('onRoute', onRoute);
  app.addHook('onRequest', forgetEmptyBody);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    if (deps.readiness.draining) reply.header('connection', 'close');
  });
  const limitRegistrations = await registerRegistrationLimit(app, {
    redis,
    perHour: config.REGISTRATIONS_PER_HOUR,
  });
  // Postgres has no zero byte: nothing of ours is named by one, and a parameter that holds one would end as a failure of ours.
  app.addHook('preValidation', async ({ url, routeOptions }) => {
    const at = url.indexOf('%00');
    if (at === -1) return;
    if (at < `${url}?`.indexOf('?')) throw notFound();
    if (routeOptions.schema?.querystring) throw invalidRequest('The query contains a zero byte.');
  });
  app.addHook('preValidation', convertQueryNumbers);
  await registerTokens(app, deps.signingKeys, config.ACCESS_TOKEN_SECONDS);

  await registerWebFiles(app, config.DASHBOARD_DIRECTORY);
  await registerOpenApi(app, API_VERSION);
  openApiRoute(app);

  await app.register(
    async (open: ControlPlaneApp) => {
      settingsRoute(open, auth);
      registerRoute(open, auth, limitRegistrations);
      activateRoute(open, auth);
      confirmAddressRoute(open, auth);
      resetPasswordRoutes(open, auth);
      loginRoute(open, auth);
      tokenRoutes(open, auth);
    },
    { prefix: API_PREFIX },
  );

  await app.register(
    async (own: ControlPlaneApp) => {
      own.addHook('onRequest', async (request) => {
        request.authenticated = await authenticate(deps, request);
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
      impactRoutes(own, deps);
      policyRoutes(own, deps);
      usePolicyRoutes(own, deps);
      tryPolicyRoute(own, deps);
      backtestRoutes(own, deps);
      logRoutes(own, deps);
      refusedRoute(own);
      evidenceRoute(own, deps);
      usageRoutes(own, deps);
      subscriptionRoutes(own, deps);
      statementRoutes(own);
      invoiceRoutes(own);
      invoiceAddressRoutes(own, deps);
      accountSettingsRoutes(own, deps);
      auditRoutes(own, deps);
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
        request.authenticated = await authenticateKeyOrToken(deps, request);
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
        request.authenticated = await authenticate(deps, request);
        await requireOperator(deps, request);
      });
      operatorAccountRoutes(operators, deps);
      planRequestRoutes(operators, deps);
      operatorMonthRoutes(operators, deps);
      monthDocumentsRoutes(operators, deps);
      operatorSystemRoute(operators, deps);
    },
    { prefix: API_PREFIX },
  );
  return { app, inFlight };
}
