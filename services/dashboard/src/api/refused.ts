import type { RefusedReply } from '@verdict/contracts/dashboard/refused-api.js';
import { getQuery } from './get-query.ts';

export type RefusedGroup = RefusedReply['refused'][number];

export const refusedQuery = getQuery<RefusedReply>(['refused'], '/dashboard/logs/refused/');
