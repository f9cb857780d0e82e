import type {
  EvidenceReply,
  LogDetailSchema,
  LogReplySchema,
  LogSchema,
  LogsFilter,
  LogsReplySchema,
} from '@verdict/contracts/dashboard/logs-api.js';
import type { Static } from 'typebox';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';

export type Log = Static<typeof LogSchema>;
export type LogDetail = Static<typeof LogDetailSchema>;
type LogsReply = Static<typeof LogsReplySchema>;

export const LOGS = ['logs'] as const;

export const logsQuery = (filter: LogsFilter) =>
  pagedQuery<LogsReply>([...LOGS, 'list', filter], '/dashboard/logs/', filter);

export const latestLogsQuery = (limit: number) =>
  getQuery<LogsReply>([...LOGS, 'latest', limit], '/dashboard/logs/', { limit });

export const logQuery = (id: string) => ({
  ...getQuery<Static<typeof LogReplySchema>>([...LOGS, 'one', id], `/dashboard/logs/${id}/`),
  staleTime: Number.POSITIVE_INFINITY,
});

export const EVIDENCE = [...LOGS, 'evidence'] as const;

export const evidenceQuery = (id: string) =>
  getQuery<EvidenceReply>([...EVIDENCE, id], `/dashboard/logs/${id}/evidence/`);
