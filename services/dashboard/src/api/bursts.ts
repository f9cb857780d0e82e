import type { BurstView } from '@verdict/contracts/dashboard/logs-api.js';
import { getQuery } from './get-query.ts';

export type Burst = BurstView;

const LOOK_EVERY_MS = 15_000;

/** Asked again while the page is open: an attack is not announced to it. */
export const burstsQuery = {
  ...getQuery(['bursts'], 'GET /dashboard/bursts/'),
  refetchInterval: LOOK_EVERY_MS,
};
