import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { type Args, callWith, type Reading } from './call.ts';

/** Reads one address. A listing in pages is a pagedQuery. */
export const getQuery = <C extends Reading>(queryKey: QueryKey, call: C, ...args: Args<C>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => callWith(call, signal, ...args) });
