import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import type { Query } from './search-of.ts';

/** Reads one address. A listing in pages is a pagedQuery. */
export const getQuery = <Reply>(queryKey: QueryKey, path: string, query: Query = {}) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => request<Reply>(path, { query, signal }) });
