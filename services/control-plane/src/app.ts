import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { FORWARDED_BODY_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { TURN_MS } from '@verdict/contracts/routes/takes.js';
import { answerForNode } from '@verdict/service-kit/answer-for-node.js';
import { noteAttached, requireHandlers } from '@verdict/service-kit/attached-routes.js';
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
import { subjectRoute } from './account/routes/subject.js';
import { admit } from './auth/admit.js';
import { requireConfirmed } from './auth/require-confirmed.js';
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
import { spendingRoutes } from './billing/routes/spending.js';
import { statementRoutes } from './billing/routes/statements.js';
import { subscriptionRoutes } from './billing/routes/subscription.js';
import { upcomingRoutes } from './billing/routes/upcoming.js';
import type { Dependencies } from './dependencies.js';
import { changeHooksRoutes } from './hooks/routes/change-hooks.js';
import { readHooksRoutes } from './hooks/routes/read-hooks.js';
import { testHookRoute } from './hooks/routes/test-hook.js';
import { decorateCallers } from './http/control-plane-app.js';
import { forgetEmptyBody } from './http/forget-empty-body.js';
import { inAccountTurn } from './http/in-account-turn.js';
import { createChangeLimit } from './http/limit-changes.js';
import { registerRegistrationLimit } from './http/limit-registrations.js';
import { convertQueryNumbers } from './http/query-numbers.js';
import { refuseUnlisted } from './http/refuse-unlisted.js';
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
import { revisionsRoute } from './logs/routes/revisions.js';
import { invitationRoutes } from './members/routes/invitations.js';
import { joinRoute } from './members/routes/join.js';
import { memberRoutes } from './members/routes/members.js';
import { switchAccountRoute } from './members/routes/switch-account.js';
import { openApiRoute } from './openapi/openapi-route.js';
import { operatorAccountRoutes } from './operator/routes/accounts.js';
import { monthDocumentsRoutes } from './operator/routes/month-documents.js';
import { operatorMonthRoutes } from './operator/routes/months.js';
import { planRequestRoutes } from './operator/routes/plan-requests.js';
import { operatorSystemRoute } from './operator/routes/system.js';
import { outcomeRoutes } from './outcomes/routes/outcomes.js';
import { reviewRoutes } from './outcomes/routes/reviews.js';
import { backtestRoutes } from './policies/routes/backtests.js';
import { policyRoutes } from './policies/routes/policies.js';
import { tryPolicyRoute } from './policies/routes/try-policy.js';
import { usePolicyRoutes } from './policies/routes/use-policy.js';
import { ssoLoginRoutes } from './sso/routes/sso-login.js';
import { ssoSettingsRoutes } from './sso/routes/sso-settings.js';
import { usageRoutes } from './usage/routes/usage.js';
import { openBillingPage } from './web/open-billing-page.js';
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
    unknownAddress: answerWithPage(config.DASHBOARD_DIRECTORY, {
      isPublic: config.PUBLIC_PAGES === 'on',
      isSignupOpen: config.SIGNUP === 'open',
      plans: deps.plans,
    }),
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
  refuseUnlisted(app);
  const attached = noteAttached(app);
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
  const limitChanges = createChangeLimit(redis, config.CHANGES_PER_HOUR);
  // Postgres has no zero byte: nothing of ours is named by one, and a parameter that holds one would end as a failure of ours.
  app.addHook('preValidation', async ({ url, routeOptions }) => {
    const at = url.indexOf('%00');
    if (at === -1) return;
    if (at < `${url}?`.indexOf('?')) throw notFound();
    if (routeOptions.schema?.querystring) throw invalidRequest('The query contains a zero byte.');
  });
  app.addHook('preValidation', convertQueryNumbers);
  openBillingPage(app);
  const takeTurn = inAccountTurn(deps);
  app.addHook('onRequest', async (request, reply) => {
    const { route } = request.routeOptions.config;
    if (!route) return;
    await admit(deps, request, route);
    await requireConfirmed(deps, request, route);
    await limitChanges(request, route);
    if (route.takes.loopMs > TURN_MS) await takeTurn(request, reply);
  });
  await registerTokens(app, deps.signingKeys, config.ACCESS_TOKEN_SECONDS);

  await registerWebFiles(app, config.DASHBOARD_DIRECTORY);
  await openApiRoute(app);

  settingsRoute(app, auth);
  registerRoute(app, auth, limitRegistrations);
  activateRoute(app, auth);
  confirmAddressRoute(app, auth);
  resetPasswordRoutes(app, auth);
  loginRoute(app, auth);
  tokenRoutes(app, auth);
  meRoutes(app, deps);
  deleteMeRoute(app, deps);
  askToConfirmRoute(app, deps);
  secondFactorRoutes(app, deps);
  exportRoute(app, deps);
  subjectRoute(app, deps);
  sessionRoutes(app, deps);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
  joinRoute(app, auth);
  switchAccountRoute(app, auth);
  ssoSettingsRoutes(app, deps);
  ssoLoginRoutes(app, auth);
  listKeysRoutes(app);
  createKeyRoute(app, deps);
  changeKeyRoutes(app, deps);
  readListsRoutes(app, deps);
  changeListsRoutes(app, deps);
  await importListsRoutes(app, deps);
  impactRoutes(app, deps);
  policyRoutes(app, deps);
  usePolicyRoutes(app, deps);
  tryPolicyRoute(app, deps);
  backtestRoutes(app, deps);
  logRoutes(app, deps);
  refusedRoute(app);
  revisionsRoute(app, deps);
  evidenceRoute(app, deps);
  outcomeRoutes(app, deps);
  reviewRoutes(app, deps);
  usageRoutes(app, deps);
  subscriptionRoutes(app, deps);
  upcomingRoutes(app, deps);
  spendingRoutes(app, deps);
  statementRoutes(app);
  invoiceRoutes(app);
  invoiceAddressRoutes(app, deps);
  accountSettingsRoutes(app, deps);
  auditRoutes(app, deps);
  readEndpointsRoutes(app);
  changeEndpointsRoutes(app, deps);
  readDeliveriesRoutes(app, deps);
  sendAgainRoutes(app, deps);
  changeHooksRoutes(app, deps);
  readHooksRoutes(app, deps);
  testHookRoute(app, deps);
  jobRoutes(app, deps);
  jobResultRoutes(app, deps);
  await uploadJobRoute(app, deps);
  operatorAccountRoutes(app, deps);
  planRequestRoutes(app, deps);
  operatorMonthRoutes(app, deps);
  monthDocumentsRoutes(app, deps);
  operatorSystemRoute(app, deps);
  requireHandlers(attached, CONTROL_PLANE_ROUTES);
  return { app, inFlight };
}
