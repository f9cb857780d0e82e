import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { type Args, callWith, type QueryFor, type Reading, type Reply } from './call.ts';

interface Page {
  readonly next_cursor: string | null;
}

/** Listings in pages: each page names the cursor of the next. */
type Listing = { [C in Reading]: Reply<C> extends Page ? C : never }[Reading];

const LIMIT = 100;

/** A listing that comes in pages. */
export const pagedQuery = <C extends Listing>(
  queryKey: QueryKey,
  call: C,
  given: Omit<NonNullable<Args<C>[0]>, 'query'> & { readonly query?: Omit<QueryFor<C>, 'cursor' | 'limit'> },
  refetchMs: (pages: readonly Reply<C>[]) => number | false = () => false,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: LIMIT, ...given.query, cursor: pageParam };
      return callWith(call, signal, ...([{ ...given, query }] as Args<C>));
    },
    initialPageParam: '',
    getNextPageParam: (page) => (page as Page).next_cursor ?? undefined,
    refetchInterval: ({ state }) => refetchMs(state.data?.pages ?? []),
  });
