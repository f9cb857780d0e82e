import type { PrecisionGroup } from '@verdict/domain/outcomes.js';
import type { Reply } from './call.ts';
import { getQuery } from './get-query.ts';
import { LISTS } from './lists.ts';

export type Precision = Reply<'GET /dashboard/outcomes/precision/'>['groups'][number];

export const PRECISION = ['precision'] as const;

export const precisionQuery = (by: PrecisionGroup) =>
  getQuery([...PRECISION, by], 'GET /dashboard/outcomes/precision/', { query: { by } });

export type Proposal = Reply<'GET /dashboard/outcomes/proposals/'>['proposals'][number];

/** Below the lists, because a new entry may answer a proposal. */
export const proposalsQuery = getQuery([...LISTS, 'proposals'], 'GET /dashboard/outcomes/proposals/');
