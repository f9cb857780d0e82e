import { createRoute } from '@tanstack/react-router';
import { AUDIT_SUBJECTS, type AuditSubject } from '@verdict/contracts/dashboard/audit-subjects.js';
import { LIST_NAMES } from '@verdict/domain/account-list.js';
import { GROUPINGS } from '@verdict/domain/check-groups.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { DELIVERY_STATUSES } from '@verdict/domain/webhook-states.js';
import { accountSettingsQuery } from '../api/account.ts';
import { auditQuery } from '../api/audit.ts';
import { spendingQuery, statementsQuery, subscriptionQuery, upcomingQuery } from '../api/billing.ts';
import { burstsQuery } from '../api/bursts.ts';
import { hooksQuery } from '../api/hooks.ts';
import { jobsQuery, type ResultFilter } from '../api/jobs.ts';
import { keysQuery } from '../api/keys.ts';
import type { ListName } from '../api/lists.ts';
import { latestLogsQuery } from '../api/logs.ts';
import { membersQuery } from '../api/members.ts';
import { proposalsQuery } from '../api/outcomes.ts';
import { policiesQuery } from '../api/policies.ts';
import { queryClient } from '../api/query-client.ts';
import { refusedQuery } from '../api/refused.ts';
import { reviewsQuery, waitingQuery } from '../api/reviews.ts';
import { revisedQuery, revisionsQuery } from '../api/revisions.ts';
import { overviewQuery } from '../api/usage.ts';
import { endpointsQuery } from '../api/webhooks.ts';
import type { LogsSearch } from '../pages/logs/logs-search.ts';
import { LATEST_CHECKS } from '../pages/overview/latest-checks.ts';
import type { WebhooksSearch } from '../pages/webhooks/webhooks-search.ts';
import { lazyPage } from '../shell/lazy-page.ts';
import { NotFound } from '../shell/NotFound.tsx';
import { picked, text, whole } from '../shell/search-params.ts';
import { app } from './session-route.ts';

const overview = createRoute({
  getParentRoute: () => app,
  path: '/',
  loader: () => {
    void queryClient.prefetchQuery(overviewQuery);
    void queryClient.prefetchQuery(burstsQuery);
    void queryClient.prefetchQuery(latestLogsQuery(LATEST_CHECKS));
    void queryClient.prefetchQuery(waitingQuery);
    void queryClient.prefetchQuery(revisedQuery);
  },
  component: lazyPage(() => import('../pages/overview/OverviewPage.tsx'), 'OverviewPage'),
});

const playground = createRoute({
  getParentRoute: () => app,
  path: '/checks/new',
  validateSearch: (search): { email?: string } => text(search, 'email'),
  loader: () => void queryClient.prefetchQuery(keysQuery),
  component: lazyPage(() => import('../pages/playground/PlaygroundPage.tsx'), 'PlaygroundPage'),
});

const logs = createRoute({
  getParentRoute: () => app,
  path: '/checks',
  validateSearch: (search): LogsSearch => ({
    ...text(search, 'q', 'decision', 'key', 'ids', 'rule', 'tag', 'outcome', 'from', 'to'),
    ...text(search, 'reason', 'mail', 'country', 'min', 'max'),
    ...picked(search, 'list', LIST_NAMES),
    ...picked(search, 'by', GROUPINGS),
    // Not `true`, which an address means as a boolean.
    ...picked(search, 'revised', ['yes']),
    ...picked(search, 'mode', ['test']),
    ...picked(search, 'range', ['1h', '24h', '7d', '30d']),
  }),
  loader: () => void queryClient.prefetchQuery(keysQuery),
  component: lazyPage(() => import('../pages/logs/LogsPage.tsx'), 'LogsPage'),
});

const refused = createRoute({
  getParentRoute: () => app,
  path: '/checks/refused',
  loader: () => void queryClient.prefetchQuery(refusedQuery),
  component: lazyPage(() => import('../pages/refused/RefusedPage.tsx'), 'RefusedPage'),
});

const log = createRoute({
  getParentRoute: () => logs,
  path: '$id',
  component: lazyPage(() => import('../pages/logs/LogPanel.tsx'), 'LogPanel'),
});

const review = createRoute({
  getParentRoute: () => app,
  path: '/checks/review',
  loader: () => void queryClient.prefetchInfiniteQuery(reviewsQuery),
  component: lazyPage(() => import('../pages/review/ReviewPage.tsx'), 'ReviewPage'),
});

const reviewed = createRoute({
  getParentRoute: () => review,
  path: '$id',
  component: lazyPage(() => import('../pages/review/ReviewPanel.tsx'), 'ReviewPanel'),
});

const revisions = createRoute({
  getParentRoute: () => app,
  path: '/checks/second-looks',
  loader: () => void queryClient.prefetchInfiniteQuery(revisionsQuery),
  component: lazyPage(() => import('../pages/revisions/RevisionsPage.tsx'), 'RevisionsPage'),
});

const bulk = createRoute({
  getParentRoute: () => app,
  path: '/bulk',
  loader: () => {
    void queryClient.prefetchInfiniteQuery(jobsQuery);
    void queryClient.prefetchQuery(keysQuery);
    void queryClient.prefetchQuery(subscriptionQuery);
  },
  component: lazyPage(() => import('../pages/bulk/BulkPage.tsx'), 'BulkPage'),
});

const job = createRoute({
  getParentRoute: () => app,
  path: '/bulk/$id',
  validateSearch: (search): ResultFilter => ({
    ...picked(search, 'decision', DECISIONS),
    ...picked(search, 'kind', ['invalid', 'duplicate']),
  }),
  component: lazyPage(() => import('../pages/bulk/JobPage.tsx'), 'JobPage'),
});

const keys = createRoute({
  getParentRoute: () => app,
  path: '/developers/keys',
  validateSearch: (search): { show?: 'all' } => picked(search, 'show', ['all']),
  loader: () => void queryClient.prefetchQuery(keysQuery),
  component: lazyPage(() => import('../pages/keys/KeysPage.tsx'), 'KeysPage'),
});

const lists = createRoute({
  getParentRoute: () => app,
  path: '/rules/lists',
  validateSearch: (search): { list?: ListName; search?: string } => ({
    ...picked(search, 'list', LIST_NAMES),
    ...text(search, 'search'),
  }),
  // Proposals are above the list, so they must not come later.
  loaderDeps: ({ search: { list } }) => ({ list }),
  loader: ({ deps: { list } }) =>
    list === 'block' ? queryClient.ensureQueryData(proposalsQuery).catch(() => undefined) : undefined,
  component: lazyPage(() => import('../pages/lists/ListsPage.tsx'), 'ListsPage'),
});

const policies = createRoute({
  getParentRoute: () => app,
  path: '/rules/policies',
  validateSearch: (search): { version?: number; like?: string } => ({
    ...whole(search, 'version'),
    ...text(search, 'like'),
  }),
  loader: () => {
    void queryClient.prefetchInfiniteQuery(policiesQuery);
    void queryClient.prefetchQuery(keysQuery);
  },
  component: lazyPage(() => import('../pages/policies/PoliciesPage.tsx'), 'PoliciesPage'),
});

const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/developers/webhooks',
  validateSearch: (search): WebhooksSearch => ({
    ...text(search, 'endpoint', 'event'),
    ...picked(search, 'status', DELIVERY_STATUSES),
  }),
  loader: () => void queryClient.prefetchQuery(endpointsQuery),
  component: lazyPage(() => import('../pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
});

const delivery = createRoute({
  getParentRoute: () => webhooks,
  path: '$id',
  component: lazyPage(() => import('../pages/webhooks/DeliveryPanel.tsx'), 'DeliveryPanel'),
});

const hooks = createRoute({
  getParentRoute: () => app,
  path: '/developers/hooks',
  loader: () => {
    void queryClient.prefetchQuery(hooksQuery);
    void queryClient.prefetchQuery(keysQuery);
  },
  component: lazyPage(() => import('../pages/hooks/HooksPage.tsx'), 'HooksPage'),
});

const hook = createRoute({
  getParentRoute: () => hooks,
  path: '$id',
  component: lazyPage(() => import('../pages/hooks/HookPanel.tsx'), 'HookPanel'),
});

const usage = createRoute({
  getParentRoute: () => app,
  path: '/billing/usage',
  validateSearch: (search): { by?: 'hour' | 'day' | 'month'; key?: string; from?: string; to?: string } => ({
    ...picked(search, 'by', ['hour', 'day', 'month']),
    ...text(search, 'key', 'from', 'to'),
  }),
  loader: () => void queryClient.prefetchQuery(keysQuery),
  component: lazyPage(() => import('../pages/usage/UsagePage.tsx'), 'UsagePage'),
});

const billing = createRoute({
  getParentRoute: () => app,
  path: '/billing',
  loader: () => {
    void queryClient.prefetchQuery(subscriptionQuery);
    void queryClient.prefetchQuery(upcomingQuery);
    void queryClient.prefetchQuery(spendingQuery);
    void queryClient.prefetchQuery(statementsQuery);
  },
  component: lazyPage(() => import('../pages/billing/BillingPage.tsx'), 'BillingPage'),
});

const statement = createRoute({
  getParentRoute: () => app,
  path: '/billing/statements/$month',
  component: lazyPage(() => import('../pages/billing/StatementPage.tsx'), 'StatementPage'),
});

const scoring = createRoute({
  getParentRoute: () => app,
  path: '/rules/scoring',
  loader: () => void queryClient.prefetchQuery(accountSettingsQuery),
  component: lazyPage(() => import('../pages/scoring/ScoringPage.tsx'), 'ScoringPage'),
});

const members = createRoute({
  getParentRoute: () => app,
  path: '/settings/members',
  loader: () => void queryClient.prefetchQuery(membersQuery),
  component: lazyPage(() => import('../pages/members/MembersPage.tsx'), 'MembersPage'),
});

const audit = createRoute({
  getParentRoute: () => app,
  path: '/settings/audit',
  validateSearch: (search): { subject?: AuditSubject } => picked(search, 'subject', AUDIT_SUBJECTS),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchInfiniteQuery(auditQuery(deps.subject)),
  component: lazyPage(() => import('../pages/audit/AuditPage.tsx'), 'AuditPage'),
});

const account = createRoute({
  getParentRoute: () => app,
  path: '/settings/account',
  component: lazyPage(() => import('../pages/account/AccountPage.tsx'), 'AccountPage'),
});

const anything = createRoute({ getParentRoute: () => app, path: '$', component: NotFound });

/** The pages of an account. */
export const accountRoutes = [
  overview,
  logs.addChildren([log]),
  refused,
  review.addChildren([reviewed]),
  revisions,
  playground,
  bulk,
  job,
  keys,
  lists,
  policies,
  scoring,
  hooks.addChildren([hook]),
  webhooks.addChildren([delivery]),
  usage,
  billing,
  statement,
  members,
  audit,
  account,
  anything,
];
