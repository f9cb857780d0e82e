import type { ListName } from '@verdict/domain/account-list.js';
import { Type } from 'typebox';
import { IdParamsSchema } from '../dashboard/common.js';
import {
  AddEntryBodySchema,
  DatasetsReplySchema,
  EntryReplySchema,
  IMPACT_DAYS,
  ImpactQuerySchema,
  ImpactReplySchema,
  ImportBodySchema,
  ImportReplySchema,
  ListPageQuerySchema,
  ListPageReplySchema,
} from '../dashboard/lists-api.js';
import { CsvFile } from './file-replies.js';
import { route } from './route.js';
import { TAKES } from './takes.js';

/** Turned into the same rows as the JSON. */
const ImportFile = Type.String({
  description: 'Columns `value` and `note`, as in `export.csv`; without a header, the first and the second',
});

const routesOf = <const L extends ListName>(list: L) => ({
  add: route({
    method: 'POST',
    path: `/lists/${list}/`,
    callers: 'key or user',
    scope: 'lists',
    takes: TAKES.change,
    tag: 'lists',
    summary: `Add an entry to the ${list} list`,
    description: 'The next check on every gateway sees it. A value is on one list only.',
    body: AddEntryBodySchema,
    replies: { 201: EntryReplySchema },
    codes: ['change_pending'],
  }),
  remove: route({
    method: 'DELETE',
    path: `/lists/${list}/:id/`,
    callers: 'key or user',
    scope: 'lists',
    takes: TAKES.act,
    tag: 'lists',
    summary: `Take an entry off the ${list} list`,
    description: 'The next check on every gateway sees it.',
    params: IdParamsSchema,
    replies: { 200: EntryReplySchema },
    codes: ['change_pending'],
  }),
  impact: route({
    method: 'GET',
    path: `/lists/${list}/impact/`,
    callers: 'key or user',
    scope: 'lists',
    takes: TAKES.read,
    tag: 'lists',
    summary: `Checks of the last ${IMPACT_DAYS} days that an entry of the ${list} list would have decided`,
    description: 'Shows the effect before you add it.',
    query: ImpactQuerySchema,
    replies: { 200: ImpactReplySchema },
    codes: [400],
  }),
  import: route({
    method: 'POST',
    path: `/lists/${list}/import/`,
    callers: 'key or user',
    scope: 'lists',
    takes: TAKES.imported,
    tag: 'lists',
    summary: `Add many entries to the ${list} list; rows that are wrong are named, the others taken`,
    description: 'As JSON, or as CSV with the columns of `export.csv`.',
    body: ImportBodySchema,
    files: { 'text/csv': { schema: ImportFile } },
    replies: { 200: ImportReplySchema },
    codes: ['unreadable_file', 'change_pending'],
  }),
  page: route({
    method: 'GET',
    path: `/lists/${list}/`,
    callers: 'key or user',
    scope: 'lists',
    takes: TAKES.page,
    tag: 'lists',
    summary: `The entries of the ${list} list, newest first`,
    description: 'Pages with `limit` and `cursor`; `search` finds values by their beginning.',
    query: ListPageQuerySchema,
    replies: { 200: ListPageReplySchema },
    codes: [400],
  }),
  exportCsv: route({
    method: 'GET',
    path: `/lists/${list}/export.csv`,
    callers: 'key or user',
    scope: 'lists',
    takes: TAKES.download,
    tag: 'lists',
    summary: `The whole ${list} list as CSV`,
    description: 'Import it elsewhere with `POST …/import/`.',
    replies: { 200: CsvFile },
    codes: [400],
  }),
});

export const LIST_ROUTES = {
  allow: routesOf('allow'),
  block: routesOf('block'),
  datasets: route({
    method: 'GET',
    path: '/lists/datasets/',
    callers: 'key or user',
    scope: 'lists',
    takes: TAKES.read,
    tag: 'lists',
    summary: 'The versions of the loaded datasets, as in GET /status/',
    description: 'Changes when an operator loads newer data.',
    replies: { 200: DatasetsReplySchema },
  }),
};
