import type { OperatorRole, Role } from '@verdict/domain/role.js';
import type { Api } from './routes.js';

type CalledBy<Callers> = {
  [Call in keyof Api]: Api[Call] extends { readonly callers: Callers } ? Call : never;
}[keyof Api];

const EVERYONE = ['owner', 'admin', 'analyst', 'billing'] as const;
/** Those who work with checks, and so with people's addresses. */
const CHECKS = ['owner', 'admin', 'analyst'] as const;
const SETUP = ['owner', 'admin'] as const;
const MONEY = ['owner', 'billing'] as const;
const OWNER = ['owner'] as const;

/**
 * The roles that may call each route of a user. The dashboard reads this table without the schemas;
 * a route without a row does not compile.
 */
const RIGHTS = {
  // The person and their login
  'GET /auth/users/me/': EVERYONE,
  'PATCH /auth/users/me/': EVERYONE,
  'POST /auth/users/me/email/': EVERYONE,
  'POST /auth/users/me/confirmation/': EVERYONE,
  'POST /auth/users/set_password/': EVERYONE,
  'GET /auth/second_factor/': EVERYONE,
  'POST /auth/second_factor/': EVERYONE,
  'POST /auth/second_factor/confirm/': EVERYONE,
  'POST /auth/second_factor/recovery_codes/': EVERYONE,
  'DELETE /auth/second_factor/': EVERYONE,
  'GET /auth/sessions/': EVERYONE,
  'DELETE /auth/sessions/': EVERYONE,
  'DELETE /auth/sessions/:id/': EVERYONE,

  // The account
  'DELETE /auth/users/me/': OWNER,
  'GET /dashboard/export/': OWNER,
  'GET /dashboard/settings/': CHECKS,
  'PATCH /dashboard/settings/': SETUP,
  'GET /dashboard/audit/': SETUP,
  'GET /dashboard/audit.csv': SETUP,
  'GET /dashboard/audit.ndjson': SETUP,

  // Members
  'GET /members/': SETUP,
  'PATCH /members/:id/': SETUP,
  'DELETE /members/:id/': SETUP,
  'DELETE /members/me/': EVERYONE,
  'POST /members/invitations/': SETUP,
  'DELETE /members/invitations/:id/': SETUP,
  'POST /members/invitations/accept/': EVERYONE,
  'POST /auth/jwt/switch/': EVERYONE,
  // The one who sets the provider can come in as any member.
  'GET /dashboard/sso/': OWNER,
  'PUT /dashboard/sso/': OWNER,
  'DELETE /dashboard/sso/': OWNER,
  'POST /dashboard/sso/domains/check/': OWNER,

  // Checks
  'POST /check/': CHECKS,
  'POST /check/batch/': CHECKS,
  'GET /dashboard/logs/': CHECKS,
  'GET /dashboard/logs.csv': CHECKS,
  'GET /dashboard/logs/:id/': CHECKS,
  'GET /dashboard/logs/:id/evidence/': CHECKS,
  'GET /dashboard/logs/refused/': CHECKS,
  'GET /dashboard/checks/groups/': CHECKS,
  'GET /dashboard/bursts/': CHECKS,
  'POST /outcomes/': CHECKS,
  'GET /dashboard/outcomes/precision/': CHECKS,
  'GET /dashboard/outcomes/proposals/': CHECKS,
  'POST /dashboard/outcomes/proposals/dismiss/': CHECKS,
  'GET /dashboard/review/': CHECKS,
  'POST /dashboard/review/claim/': CHECKS,
  'POST /dashboard/review/:id/decide/': CHECKS,
  'GET /dashboard/revisions/': CHECKS,
  'POST /dashboard/subject.ndjson': CHECKS,
  'POST /dashboard/subject/erase/': SETUP,
  'GET /dashboard/subject/erasures/:id/': SETUP,

  // Files
  'GET /jobs/': CHECKS,
  'POST /jobs/': CHECKS,
  'GET /jobs/:id/': CHECKS,
  'DELETE /jobs/:id/': CHECKS,
  'POST /jobs/:id/start/': CHECKS,
  'POST /jobs/:id/pause/': CHECKS,
  'POST /jobs/:id/cancel/': CHECKS,
  'GET /jobs/:id/results/': CHECKS,
  'GET /jobs/:id/results.csv': CHECKS,
  'GET /jobs/:id/results.ndjson': CHECKS,

  // Lists
  'GET /lists/allow/': CHECKS,
  'POST /lists/allow/': CHECKS,
  'DELETE /lists/allow/:id/': CHECKS,
  'GET /lists/allow/impact/': CHECKS,
  'POST /lists/allow/import/': CHECKS,
  'GET /lists/allow/export.csv': CHECKS,
  'GET /lists/block/': CHECKS,
  'POST /lists/block/': CHECKS,
  'DELETE /lists/block/:id/': CHECKS,
  'GET /lists/block/impact/': CHECKS,
  'POST /lists/block/import/': CHECKS,
  'GET /lists/block/export.csv': CHECKS,
  'GET /lists/datasets/': CHECKS,

  // Policies: analysts read and try them, because they explain decisions, and change none.
  'GET /policies/': CHECKS,
  'GET /policies/:version/': CHECKS,
  'GET /policies/live/': CHECKS,
  'GET /policies/shadow/': CHECKS,
  'GET /policies/:version/backtest/': CHECKS,
  'GET /policies/backtests/:id/': CHECKS,
  'POST /policies/try/': CHECKS,
  'POST /policies/': SETUP,
  'PUT /policies/live/': SETUP,
  'PUT /policies/shadow/': SETUP,
  'POST /policies/:version/backtest/': CHECKS,

  // Keys: everyone reads their names, because checks and usage name them.
  'GET /dashboard/keys/': EVERYONE,
  'GET /dashboard/keys/:id/': EVERYONE,
  'POST /dashboard/keys/': SETUP,
  'PATCH /dashboard/keys/:id/': SETUP,
  'DELETE /dashboard/keys/:id/': SETUP,
  'POST /dashboard/keys/:id/roll/': SETUP,
  'DELETE /dashboard/keys/:id/old-value/': SETUP,
  'GET /dashboard/keys/:id/networks/': SETUP,

  // Sign-up hooks and webhooks
  'GET /dashboard/hooks/': SETUP,
  'POST /dashboard/hooks/': SETUP,
  'GET /dashboard/hooks/:id/': SETUP,
  'PATCH /dashboard/hooks/:id/': SETUP,
  'DELETE /dashboard/hooks/:id/': SETUP,
  'POST /dashboard/hooks/:id/test/': SETUP,
  'GET /dashboard/hooks/:id/deliveries/': SETUP,
  'GET /webhooks/endpoints/': SETUP,
  'POST /webhooks/endpoints/': SETUP,
  'GET /webhooks/endpoints/:id/': SETUP,
  'PATCH /webhooks/endpoints/:id/': SETUP,
  'DELETE /webhooks/endpoints/:id/': SETUP,
  'POST /webhooks/endpoints/:id/roll/': SETUP,
  'POST /webhooks/endpoints/:id/test/': SETUP,
  'POST /webhooks/endpoints/:id/replay/': SETUP,
  'GET /webhooks/deliveries/': SETUP,
  'GET /webhooks/deliveries/:id/': SETUP,
  'POST /webhooks/deliveries/:id/retry/': SETUP,

  // Usage and money
  'GET /dashboard/overview/': CHECKS,
  'GET /dashboard/usage/': EVERYONE,
  'GET /dashboard/usage.csv': EVERYONE,
  'GET /dashboard/usage/tags/': EVERYONE,
  'GET /dashboard/usage/tags.csv': EVERYONE,
  'GET /billing/subscription/': EVERYONE,
  'PUT /billing/subscription/': MONEY,
  'GET /billing/upcoming/': MONEY,
  'GET /billing/spending/': MONEY,
  'PUT /billing/spending/': MONEY,
  'GET /billing/statements/': MONEY,
  'GET /billing/statements/:month/': MONEY,
  'GET /billing/invoices/': MONEY,
  'GET /billing/invoices/:number/': MONEY,
  'GET /billing/invoice-address/': MONEY,
  'PUT /billing/invoice-address/': MONEY,
} as const satisfies Readonly<Record<CalledBy<'user' | 'key or user'>, readonly Role[]>>;

const OPERATORS = ['support', 'finance', 'admin'] as const;
const FINANCE = ['finance', 'admin'] as const;
const ADMIN = ['admin'] as const;

/** The same for the routes of operators: support reads accounts, finance has months and plans too. */
const OPERATOR_RIGHTS = {
  'GET /operator/accounts/': OPERATORS,
  'GET /operator/accounts/:id/': OPERATORS,
  'POST /operator/accounts/:id/suspend/': ADMIN,
  'POST /operator/accounts/:id/resume/': ADMIN,
  'POST /operator/accounts/:id/password-reset/': ADMIN,
  'PUT /operator/accounts/:id/plan/': FINANCE,
  'GET /operator/months/': FINANCE,
  'GET /operator/months/:month/report/': FINANCE,
  'GET /operator/months/:month/invoices.csv': FINANCE,
  'GET /operator/months/:month/statements.csv': FINANCE,
  'GET /operator/plan-requests/': FINANCE,
  'POST /operator/plan-requests/:id/grant/': FINANCE,
  'POST /operator/plan-requests/:id/refuse/': FINANCE,
  'GET /operator/system/': OPERATORS,
} as const satisfies Readonly<Record<CalledBy<'operator'>, readonly OperatorRole[]>>;

/** A route that has a row. */
export type Guarded = keyof typeof RIGHTS;

const ROWS: Readonly<Record<string, readonly Role[]>> = RIGHTS;

/** Whether a role may call a route of a user. */
export const may = (role: Role, call: Guarded): boolean => ROWS[call]?.includes(role) ?? false;

/** The roles that may call a route; undefined for a route of guests, keys or operators. */
export const rolesOf = ({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): readonly Role[] | undefined => ROWS[`${method} ${path}`];

type Operated = keyof typeof OPERATOR_RIGHTS;

const OPERATOR_ROWS: Readonly<Record<string, readonly OperatorRole[]>> = OPERATOR_RIGHTS;

/** Whether an operator of this role may call a route. */
export const mayOperate = (role: OperatorRole, call: Operated): boolean =>
  OPERATOR_ROWS[call]?.includes(role) ?? false;

/** The operators who may call a route; undefined for a route of others. */
export const operatorRolesOf = ({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}): readonly OperatorRole[] | undefined => OPERATOR_ROWS[`${method} ${path}`];
