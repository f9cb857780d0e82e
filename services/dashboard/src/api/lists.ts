import { queryOptions } from '@tanstack/react-query';
import type { ListEntryView } from '@verdict/contracts/dashboard/lists-api.js';
import type { ListMatching, ListName } from '@verdict/domain/account-list.js';
import { callWith, type Reply } from './call.ts';
import { pagedQuery } from './paged-query.ts';

export type ListEntry = ListEntryView;
export type { ListName };
export type ImportReport = Reply<`POST /lists/${ListName}/import/`>;

export const LISTS = ['lists'] as const;

export const listQuery = (list: ListName, search: string) =>
  pagedQuery([...LISTS, list, search], `GET /lists/${list}/`, 'entries', { query: { search } });

export const impactQuery = (list: ListName, value: string, match: ListMatching) =>
  queryOptions({
    queryKey: [...LISTS, 'impact', list, value, match],
    queryFn: ({ signal }) => callWith(`GET /lists/${list}/impact/`, signal, { query: { value, match } }),
    enabled: value !== '',
    retry: false,
  });
