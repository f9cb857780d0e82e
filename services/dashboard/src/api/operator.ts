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
  queryOptions({
    queryKey: [...OPERATOR, 'account', id],
    queryFn: ({ signal }) => request<OperatorAccountDetail>(`/operator/accounts/${id}/`, { signal }),
  });

export const setAccountPlan = (id: string, plan: string) =>
  request(`/operator/accounts/${id}/plan/`, { method: 'PUT', json: { plan } });

export const suspendAccount = (id: string, reason: string) =>
  request(`/operator/accounts/${id}/suspend/`, { method: 'POST', json: { reason } });

export const resumeAccount = (id: string) => request(`/operator/accounts/${id}/resume/`, { method: 'POST' });

export const sendPasswordReset = (id: string) =>
  request(`/operator/accounts/${id}/password-reset/`, { method: 'POST' });

export const planRequestsQuery = queryOptions({
  queryKey: [...OPERATOR, 'plan-requests'],
  queryFn: ({ signal }) =>
    request<Static<typeof OperatorPlanRequestsReplySchema>>('/operator/plan-requests/', { signal }),
});

export const grantRequest = (id: string) =>
  request<Static<typeof OperatorPlanRequestReplySchema>>(`/operator/plan-requests/${id}/grant/`, {
    method: 'POST',
  });

export const refuseRequest = (id: string, reason: string) =>
  request<Static<typeof OperatorPlanRequestReplySchema>>(`/operator/plan-requests/${id}/refuse/`, {
    method: 'POST',
    json: { reason },
  });

export const operatorMonthsQuery = queryOptions({
  queryKey: [...OPERATOR, 'months'],
  queryFn: ({ signal }) => request<Static<typeof OperatorMonthsReplySchema>>('/operator/months/', { signal }),
});

export const operatorSystemQuery = queryOptions({
  queryKey: [...OPERATOR, 'system'],
  queryFn: ({ signal }) => request<OperatorSystemReply>('/operator/system/', { signal }),
  refetchInterval: SYSTEM_POLL_MS,
});
