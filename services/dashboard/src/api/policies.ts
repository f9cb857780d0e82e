import { queryOptions } from '@tanstack/react-query';
import type {
  BacktestView,
  LiveRulesReply,
  PolicySummary as PolicySummaryView,
  PolicyView,
  TryPolicyReply,
} from '@verdict/contracts/policy.js';
import type {
  Condition as PolicyCondition,
  Rule as PolicyRule,
  Then as PolicyThen,
  When as PolicyWhen,
} from '@verdict/domain/policy/policy.js';
import { callWith } from './call.ts';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';

export type Condition = PolicyCondition;
export type When = PolicyWhen;
export type Clause = PolicyCondition | PolicyWhen;
export type Then = PolicyThen;
export type Rule = PolicyRule;
export type Policy = PolicyView;
export type PolicySummary = PolicySummaryView;
export type Backtest = BacktestView;
export type Cell = BacktestView['matrix'][number];
export type Tried = TryPolicyReply;
/** How many checks a live rule matched. */
export type Effect = NonNullable<LiveRulesReply['live']>['rules'][number];

export const POLICIES = ['policies'] as const;

export const policiesQuery = pagedQuery([...POLICIES, 'list'], 'GET /policies/', 'policies', {});

export const policyQuery = (version: number) =>
  getQuery([...POLICIES, 'one', version], 'GET /policies/:version/', {
    params: { version: String(version) },
  });

export const liveQuery = getQuery([...POLICIES, 'live'], 'GET /policies/live/');

export const shadowQuery = getQuery([...POLICIES, 'shadow'], 'GET /policies/shadow/');

const RUNNING_MS = 1_000;

export const isRunning = ({ status }: Pick<Backtest, 'status'>): boolean =>
  status === 'queued' || status === 'running';

/** The newest backtest of a version, asked for again while it runs. */
export const backtestQuery = (version: number) =>
  queryOptions({
    queryKey: [...POLICIES, 'backtest', version],
    queryFn: ({ signal }) =>
      callWith('GET /policies/:version/backtest/', signal, { params: { version: String(version) } }),
    refetchInterval: ({ state }) =>
      state.data?.backtest && isRunning(state.data.backtest) ? RUNNING_MS : false,
  });
