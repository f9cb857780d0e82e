import { queryOptions } from '@tanstack/react-query';
import type { ListMatching, ListName } from '@verdict/contracts/account-list.js';
import type {
  AddEntryBodySchema,
  EntryReplySchema,
  ImpactReply,
  ImportReplySchema,
  ListEntryView,
  ListPageReplySchema,
} from '@verdict/contracts/dashboard/lists-api.js';
import type { Static } from 'typebox';
import { pagedQuery } from './paged-query.ts';
import { request } from './request.ts';

export type ListEntry = ListEntryView;
export type { ListName };
export type ImportReport = Static<typeof ImportReplySchema>;
type ListPage = Static<typeof ListPageReplySchema>;

export const LISTS = ['lists'] as const;

export const listQuery = (list: ListName, search: string) =>
  pagedQuery<ListPage>([...LISTS, list, search], `/lists/${list}/`, { search });

export const addEntry = (list: ListName, json: Static<typeof AddEntryBodySchema>) =>
  request<Static<typeof EntryReplySchema>>(`/lists/${list}/`, { method: 'POST', json });

/** The server reads the file: it knows delimiters, quotes and encodings. */
export const importEntries = (list: ListName, file: Blob) =>
  request<ImportReport>(`/lists/${list}/import/`, { method: 'POST', csv: file });

export const removeEntry = (list: ListName, id: string) =>
  request(`/lists/${list}/${id}/`, { method: 'DELETE' });

export const impactQuery = (list: ListName, value: string, match: ListMatching) =>
  queryOptions({
    queryKey: [...LISTS, 'impact', list, value, match],
    queryFn: ({ signal }) =>
      request<ImpactReply>(`/lists/${list}/impact/`, { query: { value, match }, signal }),
    enabled: value !== '',
    retry: false,
  });
