import { queryOptions } from '@tanstack/react-query';
import type {
  DashboardUsageReplySchema,
  OverviewReplySchema,
} from '@verdict/contracts/dashboard/usage-api.js';
import type { Static } from 'typebox';
import { request } from './request.ts';
import type { Query } from './search-of.ts';

export type Overview = Static<typeof OverviewReplySchema>;
export type Usage = Static<typeof DashboardUsageReplySchema>;
export type UsageStep = Usage['by'];

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => request<Overview>('/dashboard/overview/', { signal }),
});

export const USAGE = ['usage'] as const;

export const usageQuery = (query: Query) =>
  queryOptions({
    queryKey: [...USAGE, query],
    queryFn: ({ signal }) => request<Usage>('/dashboard/usage/', { query, signal }),
  });
