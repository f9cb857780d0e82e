import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditReplySchema } from '@verdict/contracts/dashboard/audit-api.js';
import type { Static } from 'typebox';
import { request } from './request.ts';

type AuditPage = Static<typeof AuditReplySchema>;
export type AuditEvent = AuditPage['events'][number];

const PAGE = 100;

export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) =>
    request<AuditPage>('/dashboard/audit/', {
      query: { limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) },
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: (page: AuditPage) => page.next_cursor ?? undefined,
});
