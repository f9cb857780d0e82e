import { type InfiniteData, infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { type Args, callWith, type QueryFor, type Reading, type Reply } from './call.ts';

interface Page {
  readonly next_cursor: string | null;
}

/** Listings in pages: each page names the cursor of the next. */
type Listing = { [C in Reading]: Reply<C> extends Page ? C : never }[Reading];

/** The fields of a listing that hold rows. */
type RowsField<C extends Listing> = {
  [Field in keyof Reply<C>]: Reply<C>[Field] extends readonly unknown[] ? Field : never;
}[keyof Reply<C>] &
  string;
type RowOf<C extends Listing, Field extends RowsField<C>> = Reply<C>[Field] extends readonly (infer Row)[]
  ? Row
  : never;

/** Every row that has come, and the first page with the figures of the whole. */
export interface Pages<Row, First = unknown> {
  readonly rows: readonly Row[];
  readonly first: First;
}

const LIMIT = 100;

/** A listing that comes in pages, with the rows of all of them in one list. */
export const pagedQuery = <C extends Listing, Field extends RowsField<C>>(
  queryKey: QueryKey,
  call: C,
  field: Field,
  given: Omit<NonNullable<Args<C>[0]>, 'query'> & {
    readonly query?: Omit<QueryFor<C>, 'cursor' | 'limit'>;
  },
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
    select: joining(field) as (data: InfiniteData<Reply<C>>) => Pages<RowOf<C, Field>, Reply<C>>,
  });

type Joining = (data: InfiniteData<unknown>) => Pages<unknown>;
const joinings = new Map<string, Joining>();

/** Always the same function for a field: the query compares it to know whether it has to join again. */
function joining(field: string): Joining {
  const known = joinings.get(field);
  if (known) return known;
  const join: Joining = ({ pages }) => ({
    rows: pages.flatMap((page) => (page as Record<string, unknown[]>)[field] ?? []),
    first: pages[0],
  });
  joinings.set(field, join);
  return join;
}
