import type { PrecisionGroup } from '@verdict/domain/outcomes.js';
import type { Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type Precision = Reply<'GET /dashboard/outcomes/precision/'>['groups'][number];

export const PRECISION = ['precision'] as const;

export const precisionQuery = (by: PrecisionGroup) =>
  getQuery([...PRECISION, by], 'GET /dashboard/outcomes/precision/', { query: { by } });
