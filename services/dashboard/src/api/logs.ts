import type { LogDetailSchema, LogSchema, LogsFilter } from '@verdict/contracts/dashboard/logs-api.js';
import type { Grouping } from '@verdict/domain/check-groups.js';
import type { Static } from 'typebox';
import { getQuery } from './get-query.ts';
import { pagedQuery } from './paged-query.ts';

export type Log = Static<typeof LogSchema>;
export type LogDetail = Static<typeof LogDetailSchema>;

export const LOGS = ['logs'] as const;

export const logsQuery = (filter: LogsFilter) =>
  pagedQuery([...LOGS, 'list', filter], 'GET /dashboard/logs/', 'logs', { query: filter });

export const latestLogsQuery = (limit: number) =>
  getQuery([...LOGS, 'latest', limit], 'GET /dashboard/logs/', { query: { limit } });

export const logQuery = (id: string) => ({
  ...getQuery([...LOGS, 'one', id], 'GET /dashboard/logs/:id/', { params: { id } }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const EVIDENCE = [...LOGS, 'evidence'] as const;

export const evidenceQuery = (id: string) =>
  getQuery([...EVIDENCE, id], 'GET /dashboard/logs/:id/evidence/', { params: { id } });

export const groupsQuery = (by: Grouping, filter: LogsFilter) =>
  getQuery([...LOGS, 'groups', by, filter], 'GET /dashboard/checks/groups/', { query: { ...filter, by } });

export const namedLogsQuery = (ids: readonly string[]) =>
  getQuery([...LOGS, 'named', ids], 'GET /dashboard/logs/', { query: { ids: ids.join(',') } });
