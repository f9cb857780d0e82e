import type { QueryFor, Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type Overview = Reply<'GET /dashboard/overview/'>;
export type Usage = Reply<'GET /dashboard/usage/'>;
export type UsageStep = Usage['by'];

export const OVERVIEW = ['overview'] as const;

export const overviewQuery = getQuery(OVERVIEW, 'GET /dashboard/overview/');

export const USAGE = ['usage'] as const;

export const usageQuery = (query: QueryFor<'GET /dashboard/usage/'>) =>
  getQuery([...USAGE, query], 'GET /dashboard/usage/', { query });

export const usageTagsQuery = (query: QueryFor<'GET /dashboard/usage/tags/'>) =>
  getQuery([...USAGE, 'tags', query], 'GET /dashboard/usage/tags/', { query });
