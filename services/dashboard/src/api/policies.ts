import { queryOptions } from '@tanstack/react-query';
import type {
  LivePolicyReply,
  PoliciesReply,
  PolicyCondition,
  PolicyReply,
  PolicyRule,
  PolicyThen,
  PolicyView,
  PolicyWhen,
} from '@verdict/contracts/policy.js';
import { pagedQuery } from './paged-query.ts';
import { request } from './request.ts';

export type Condition = PolicyCondition;
export type When = PolicyWhen;
export type Clause = PolicyCondition | PolicyWhen;
export type Then = PolicyThen;
export type Rule = PolicyRule;
export type Policy = PolicyView;

export const POLICIES = ['policies'] as const;

export const policiesQuery = pagedQuery<PoliciesReply>([...POLICIES, 'list'], '/policies/');

export const policyQuery = (version: number) =>
  queryOptions({
    queryKey: [...POLICIES, 'one', version],
    queryFn: ({ signal }) => request<PolicyReply>(`/policies/${version}/`, { signal }),
  });

export const createPolicy = (json: { rules: readonly Rule[]; note?: string }) =>
  request<PolicyReply>('/policies/', { method: 'POST', json });

/** `expect` is the version that this page shows as live: a change by somebody else since then is refused. */
export const makeLive = (json: { version: number | null; expect: number | null; really?: true }) =>
  request<LivePolicyReply>('/policies/live/', { method: 'PUT', json });
