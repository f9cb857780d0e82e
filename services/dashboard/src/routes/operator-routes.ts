import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../shell/lazy-page.ts';
import { text } from '../shell/search-params.ts';
import { app } from './session-route.ts';

/** The operator area. The API refuses other users, and the page says so. */
const operator = createRoute({
  getParentRoute: () => app,
  path: '/operator',
  component: lazyPage(() => import('../pages/operator/OperatorLayout.tsx'), 'OperatorLayout'),
});

const operatorIndex = createRoute({
  getParentRoute: () => operator,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/accounts' });
  },
});

const operatorAccounts = createRoute({
  getParentRoute: () => operator,
  path: 'accounts',
  validateSearch: (search): { q?: string } => text(search, 'q'),
  component: lazyPage(() => import('../pages/operator/AccountsTab.tsx'), 'AccountsTab'),
});

const operatorAccount = createRoute({
  getParentRoute: () => operator,
  path: 'accounts/$id',
  component: lazyPage(() => import('../pages/operator/AccountPage.tsx'), 'AccountPage'),
});

const operatorRequests = createRoute({
  getParentRoute: () => operator,
  path: 'plan-requests',
  component: lazyPage(() => import('../pages/operator/PlanRequestsTab.tsx'), 'PlanRequestsTab'),
});

const operatorMonths = createRoute({
  getParentRoute: () => operator,
  path: 'months',
  component: lazyPage(() => import('../pages/operator/MonthsTab.tsx'), 'MonthsTab'),
});

const operatorSystem = createRoute({
  getParentRoute: () => operator,
  path: 'system',
  component: lazyPage(() => import('../pages/operator/SystemTab.tsx'), 'SystemTab'),
});

export const operatorRoutes = operator.addChildren([
  operatorIndex,
  operatorAccounts,
  operatorAccount,
  operatorRequests,
  operatorMonths,
  operatorSystem,
]);
