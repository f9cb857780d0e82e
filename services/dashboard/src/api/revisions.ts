import type { Revision } from '@verdict/contracts/dashboard/revisions-api.js';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';

export type { Revision };

const REVISIONS = ['revisions'] as const;

export const revisionsQuery = pagedQuery(
  [...REVISIONS, 'list'],
  'GET /dashboard/revisions/',
  'revisions',
  {},
);

/** Counts revised checks for the line on Overview. */
export const revisedQuery = getQuery([...REVISIONS, 'recent'], 'GET /dashboard/revisions/', {
  query: { limit: 1 },
});
