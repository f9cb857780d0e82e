import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ListName } from '@verdict/contracts/account-list.js';
import type {
  EntryReplySchema,
  ImpactReply,
  ImportReplySchema,
  ListEntryView,
  ListPageReplySchema,
} from '@verdict/contracts/dashboard/lists-api.js';
import type { Static } from 'typebox';
import { request } from './request.ts';

export type ListEntry = ListEntryView;
export type { ListName };
export type ImportReport = Static<typeof ImportReplySchema>;
type ListPage = Static<typeof ListPageReplySchema>;

const PAGE = 100;

export const LISTS = ['lists'] as const;

export const listQuery = (list: ListName, search: string) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, list, search],
    queryFn: ({ pageParam, signal }) =>
      request<ListPage>(`/lists/${list}/`, {
        query: {
          limit: PAGE,
          ...(search ? { search } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page: ListPage) => page.next_cursor ?? undefined,
  });

export const addEntry = (list: ListName, value: string, note: string) =>
  request<Static<typeof EntryReplySchema>>(`/lists/${list}/`, {
    method: 'POST',
    json: note ? { value, note } : { value },
  });

export const importEntries = (list: ListName, entries: readonly { value: string; note?: string }[]) =>
  request<ImportReport>(`/lists/${list}/import/`, { method: 'POST', json: { entries } });

export const removeEntry = (list: ListName, id: string) =>
  request(`/lists/${list}/${id}/`, { method: 'DELETE' });

export const impactQuery = (list: ListName, value: string) =>
  queryOptions({
    queryKey: [...LISTS, 'impact', list, value],
    queryFn: ({ signal }) => request<ImpactReply>(`/lists/${list}/impact/`, { query: { value }, signal }),
    enabled: value !== '',
    retry: false,
  });
