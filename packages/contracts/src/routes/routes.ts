import { ACCOUNT_ROUTES } from './account-routes.js';
import { AUTH_ROUTES } from './auth-routes.js';
import { BILLING_ROUTES } from './billing-routes.js';
import { HOOK_ROUTES } from './hook-routes.js';
import { JOB_ROUTES } from './job-routes.js';
import { KEY_ROUTES } from './key-routes.js';
import { LIST_ROUTES } from './list-routes.js';
import { LOG_ROUTES } from './log-routes.js';
import { MEMBER_ROUTES } from './member-routes.js';
import { OPERATOR_ROUTES } from './operator-routes.js';
import { OUTCOME_ROUTES } from './outcome-routes.js';
import { POLICY_ROUTES } from './policy-routes.js';
import type { Route } from './route.js';
import { SSO_ROUTES } from './sso-routes.js';
import { USAGE_ROUTES } from './usage-routes.js';
import type { VALIDATION_ROUTES } from './validation-routes.js';
import { WEBHOOK_ROUTES } from './webhook-routes.js';

const { allow, block, ...listRoutes } = LIST_ROUTES;

const CONTROL_PLANE_TABLES = [
  ACCOUNT_ROUTES,
  AUTH_ROUTES,
  BILLING_ROUTES,
  HOOK_ROUTES,
  JOB_ROUTES,
  KEY_ROUTES,
  allow,
  block,
  listRoutes,
  LOG_ROUTES,
  MEMBER_ROUTES,
  OPERATOR_ROUTES,
  OUTCOME_ROUTES,
  POLICY_ROUTES,
  SSO_ROUTES,
  USAGE_ROUTES,
  WEBHOOK_ROUTES,
] as const;

type Values<Table> = Table extends unknown ? Table[keyof Table] : never;
type Served = Values<(typeof CONTROL_PLANE_TABLES)[number]> | Values<typeof VALIDATION_ROUTES>;

/** Every route by its method and path, such as `GET /dashboard/keys/`. */
export type Api = { [R in Served as `${R['method']} ${R['path']}`]: R };

export const CONTROL_PLANE_ROUTES: readonly Route[] = CONTROL_PLANE_TABLES.flatMap((table) =>
  Object.values<Route>(table),
);
