import { queryOptions } from '@tanstack/react-query';
import type { ReviewSchema } from '@verdict/contracts/review-api.js';
import type { Static } from 'typebox';
import { callWith } from './call.ts';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';

export type Review = Static<typeof ReviewSchema>;

export const REVIEWS = ['reviews'] as const;

/** Others take checks meanwhile. */
const FRESH_MS = 15_000;
/** Twice within a lease, so that a check stays with its reader. */
const RENEW_MS = 240_000;

export const reviewsQuery = pagedQuery(
  [...REVIEWS, 'list'],
  'GET /dashboard/review/',
  'reviews',
  {},
  () => FRESH_MS,
);

/** How many wait, for links to the page. */
export const waitingQuery = getQuery([...REVIEWS, 'waiting'], 'GET /dashboard/review/', {
  query: { limit: 1 },
});

/** Holds a check for as long as it is shown. */
export const claimQuery = (id: string) =>
  queryOptions({
    queryKey: ['review-claim', id],
    queryFn: ({ signal }) => callWith('POST /dashboard/review/claim/', signal, { body: { id } }),
    refetchInterval: RENEW_MS,
    gcTime: 0,
    retry: false,
  });
