import { queryOptions } from '@tanstack/react-query';
import type {
  EvidenceReply,
  LogDetailSchema,
  LogReplySchema,
  LogSchema,
  LogsFilter,
  LogsReplySchema,
} from '@verdict/contracts/dashboard/logs-api.js';
import type { Static } from 'typebox';
import { pagedQuery } from './paged-query.ts';
import { request } from './request.ts';

export type Log = Static<typeof LogSchema>;
export type LogDetail = Static<typeof LogDetailSchema>;
type LogsReply = Static<typeof LogsReplySchema>;

export const LOGS = ['logs'] as const;

export const logsQuery = (filter: LogsFilter) =>
  pagedQuery<LogsReply>([...LOGS, 'list', filter], '/dashboard/logs/', filter);

export const latestLogsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...LOGS, 'latest', limit],
    queryFn: ({ signal }) => request<LogsReply>('/dashboard/logs/', { query: { limit }, signal }),
  });

export const logQuery = (id: string) =>
  queryOptions({
    queryKey: [...LOGS, 'one', id],
    queryFn: ({ signal }) => request<Static<typeof LogReplySchema>>(`/dashboard/logs/${id}/`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const EVIDENCE = [...LOGS, 'evidence'] as const;

export const evidenceQuery = (id: string) =>
  queryOptions({
    queryKey: [...EVIDENCE, id],
    queryFn: ({ signal }) => request<EvidenceReply>(`/dashboard/logs/${id}/evidence/`, { signal }),
  });
