import { queryOptions } from '@tanstack/react-query';
import type { RefusedReply } from '@verdict/contracts/dashboard/refused-api.js';
import { request } from './request.ts';

export type RefusedGroup = RefusedReply['refused'][number];

export const refusedQuery = queryOptions({
  queryKey: ['refused'],
  queryFn: ({ signal }) => request<RefusedReply>('/dashboard/logs/refused/', { signal }),
});
