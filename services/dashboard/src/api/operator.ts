import { queryOptions } from '@tanstack/react-query';
import type {
  OperatorAccountDetail,
  OperatorAccountsReplySchema,
  OperatorAccountView,
  OperatorMonthsReplySchema,
  OperatorMonthView,
  OperatorPlanRequestReplySchema,
  OperatorPlanRequestsReplySchema,
  OperatorPlanRequestView,
  OperatorSystemReply,
} from '@verdict/contracts/dashboard/operator-api.js';
import type { Static } from 'typebox';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';
import { request } from './request.ts';

export type OperatorAccount = OperatorAccountView;
export type { OperatorAccountDetail };
export type OperatorMonth = OperatorMonthView;
export type PlanRequest = OperatorPlanRequestView;
export type OperatorSystem = OperatorSystemReply;
type AccountsPage = Static<typeof OperatorAccountsReplySchema>;

export const OPERATOR = ['operator'] as const;
const SYSTEM_POLL_MS = 5000;

export const operatorAccountsQuery = (q: string) =>
  pagedQuery<AccountsPage>([...OPERATOR, 'accounts', q], '/operator/accounts/', { q });

export const operatorAccountQuery = (id: string) =>
  getQuery<OperatorAccountDetail>([...OPERATOR, 'account', id], `/operator/accounts/${id}/`);

export const setAccountPlan = (id: string, plan: string) =>
  request(`/operator/accounts/${id}/plan/`, { method: 'PUT', json: { plan } });

export const suspendAccount = (id: string, reason: string) =>
  request(`/operator/accounts/${id}/suspend/`, { method: 'POST', json: { reason } });

export const resumeAccount = (id: string) => request(`/operator/accounts/${id}/resume/`, { method: 'POST' });

export const sendPasswordReset = (id: string) =>
  request(`/operator/accounts/${id}/password-reset/`, { method: 'POST' });

export const planRequestsQuery = getQuery<Static<typeof OperatorPlanRequestsReplySchema>>(
  [...OPERATOR, 'plan-requests'],
  '/operator/plan-requests/',
);

export const grantRequest = (id: string) =>
  request<Static<typeof OperatorPlanRequestReplySchema>>(`/operator/plan-requests/${id}/grant/`, {
    method: 'POST',
  });

export const refuseRequest = (id: string, reason: string) =>
  request<Static<typeof OperatorPlanRequestReplySchema>>(`/operator/plan-requests/${id}/refuse/`, {
    method: 'POST',
    json: { reason },
  });

export const operatorMonthsQuery = getQuery<Static<typeof OperatorMonthsReplySchema>>(
  [...OPERATOR, 'months'],
  '/operator/months/',
);

export const operatorSystemQuery = queryOptions({
  queryKey: [...OPERATOR, 'system'],
  queryFn: ({ signal }) => request<OperatorSystemReply>('/operator/system/', { signal }),
  refetchInterval: SYSTEM_POLL_MS,
});
