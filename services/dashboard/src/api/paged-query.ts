import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { request } from './request.ts';
import type { Query } from './search-of.ts';

interface Page {
  readonly next_cursor: string | null;
}

const LIMIT = 100;

/** A listing that comes in pages; each page names the cursor of the next. */
export const pagedQuery = <Reply extends Page>(
  queryKey: QueryKey,
  path: string,
  query: Query = {},
  refetchMs: (pages: readonly Reply[]) => number | false = () => false,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      request<Reply>(path, { query: { limit: LIMIT, ...query, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Reply) => next_cursor ?? undefined,
    refetchInterval: ({ state }) => refetchMs(state.data?.pages ?? []),
  });
