import type {
  OperatorAccountDetail,
  OperatorAccountView,
  OperatorMonthView,
  OperatorPlanRequestView,
  OperatorSystemReply,
} from '@verdict/contracts/dashboard/operator-api.js';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';

export type OperatorAccount = OperatorAccountView;
export type { OperatorAccountDetail };
export type OperatorMonth = OperatorMonthView;
export type PlanRequest = OperatorPlanRequestView;
export type OperatorSystem = OperatorSystemReply;

export const OPERATOR = ['operator'] as const;
const SYSTEM_POLL_MS = 5000;

export const operatorAccountsQuery = (q: string) =>
  pagedQuery([...OPERATOR, 'accounts', q], 'GET /operator/accounts/', 'accounts', { query: { q } });

export const operatorAccountQuery = (id: string) =>
  getQuery([...OPERATOR, 'account', id], 'GET /operator/accounts/:id/', { params: { id } });

export const planRequestsQuery = getQuery([...OPERATOR, 'plan-requests'], 'GET /operator/plan-requests/');

export const operatorMonthsQuery = getQuery([...OPERATOR, 'months'], 'GET /operator/months/');

export const operatorSystemQuery = {
  ...getQuery([...OPERATOR, 'system'], 'GET /operator/system/'),
  refetchInterval: SYSTEM_POLL_MS,
};
