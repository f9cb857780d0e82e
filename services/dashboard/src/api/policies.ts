import { queryOptions } from '@tanstack/react-query';
import type {
  BacktestStartedReply,
  BacktestView,
  LivePolicyReply,
  LiveRulesReply,
  NewestBacktestReply,
  PoliciesReply,
  PolicyCondition,
  PolicyReply,
  PolicyRule,
  PolicyThen,
  PolicyView,
  PolicyWhen,
  ShadowPolicyReply,
  ShadowReportReply,
  TryPolicyReply,
} from '@verdict/contracts/policy.js';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';
import { request } from './request.ts';

export type Condition = PolicyCondition;
export type When = PolicyWhen;
export type Clause = PolicyCondition | PolicyWhen;
export type Then = PolicyThen;
export type Rule = PolicyRule;
export type Policy = PolicyView;
export type Backtest = BacktestView;
export type Cell = BacktestView['matrix'][number];
export type Tried = TryPolicyReply;
/** How many checks a live rule matched. */
export type Effect = NonNullable<LiveRulesReply['live']>['rules'][number];

export const POLICIES = ['policies'] as const;

export const policiesQuery = pagedQuery<PoliciesReply>([...POLICIES, 'list'], '/policies/');

export const policyQuery = (version: number) =>
  getQuery<PolicyReply>([...POLICIES, 'one', version], `/policies/${version}/`);

export const createPolicy = (json: { rules: readonly Rule[]; note?: string }) =>
  request<PolicyReply>('/policies/', { method: 'POST', json });

/** `expect` is the version that this page shows as live: a change by somebody else since then is refused. */
export const makeLive = (json: { version: number | null; expect: number | null; really?: true }) =>
  request<LivePolicyReply>('/policies/live/', { method: 'PUT', json });

export const liveQuery = getQuery<LiveRulesReply>([...POLICIES, 'live'], '/policies/live/');

export const setShadow = (version: number | null) =>
  request<ShadowPolicyReply>('/policies/shadow/', { method: 'PUT', json: { version } });

export const shadowQuery = getQuery<ShadowReportReply>([...POLICIES, 'shadow'], '/policies/shadow/');

const RUNNING_MS = 1_000;

export const isRunning = ({ status }: Pick<Backtest, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** The newest backtest of a version, asked for again while it runs. */
export const backtestQuery = (version: number) =>
  queryOptions({
    queryKey: [...POLICIES, 'backtest', version],
    queryFn: ({ signal }) => request<NewestBacktestReply>(`/policies/${version}/backtest/`, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.backtest && isRunning(state.data.backtest) ? RUNNING_MS : false,
  });

export const startBacktest = (version: number, json: { from: string; to: string }) =>
  request<BacktestStartedReply>(`/policies/${version}/backtest/`, { method: 'POST', json });

/** One address under the live version and under these rules, without counting it. */
export const tryRules = (json: { rules: readonly Rule[]; email: string; ip?: string }) =>
  request<TryPolicyReply>('/policies/try/', { method: 'POST', json });
