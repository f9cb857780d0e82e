import type { Reply } from './call.ts';
import { getQuery } from './get-query.ts';

export type RefusedGroup = Reply<'GET /dashboard/logs/refused/'>['refused'][number];

export const refusedQuery = getQuery(['refused'], 'GET /dashboard/logs/refused/');
