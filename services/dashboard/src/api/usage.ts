import type {
  DashboardUsageReplySchema,
  OverviewReplySchema,
} from '@verdict/contracts/dashboard/usage-api.js';
import type { Static } from 'typebox';
import { getQuery } from './get-query.ts';
import type { Query } from './search-of.ts';

export type Overview = Static<typeof OverviewReplySchema>;
export type Usage = Static<typeof DashboardUsageReplySchema>;
export type UsageStep = Usage['by'];

export const overviewQuery = getQuery<Overview>(['overview'], '/dashboard/overview/');

export const USAGE = ['usage'] as const;

export const usageQuery = (query: Query) => getQuery<Usage>([...USAGE, query], '/dashboard/usage/', query);
