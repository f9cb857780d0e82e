import { IdParamsSchema } from '../dashboard/common.js';
import {
  BurstsReplySchema,
  EvidenceReplySchema,
  GroupsQuerySchema,
  GroupsReplySchema,
  LogReplySchema,
  LogsCsvQuerySchema,
  LogsQuerySchema,
  LogsReplySchema,
} from '../dashboard/logs-api.js';
import { RefusedReplySchema } from '../dashboard/refused-api.js';
import { CsvFile } from './file-replies.js';
import { route } from './route.js';
import { TAKES } from './takes.js';

export const LOG_ROUTES = {
  evidence: route({
    method: 'GET',
    path: '/dashboard/logs/:id/evidence/',
    callers: 'user',
    takes: TAKES.evidence,
    tag: 'logs',
    summary: 'How a check was decided, and what it would get if it were sent now; never counted',
    description:
      'Compares the stored facts with those of now. `recomputed` is null once the 1,000 verdicts of the day are used up, which evidence shares with test keys and tries.',
    params: IdParamsSchema,
    replies: { 200: EvidenceReplySchema },
  }),
  list: route({
    method: 'GET',
    path: '/dashboard/logs/',
    callers: 'user',
    takes: TAKES.page,
    tag: 'logs',
    summary: 'Checks, newest first',
    description: 'Pages with `limit` and `cursor`. Filters combine.',
    query: LogsQuerySchema,
    replies: { 200: LogsReplySchema },
    codes: [400],
  }),
  groups: route({
    method: 'GET',
    path: '/dashboard/checks/groups/',
    callers: 'user',
    takes: TAKES.page,
    tag: 'logs',
    summary: 'Checks by what they have in common, with counts by decision',
    description: 'Takes the filters of the list; without `from` the last 30 days.',
    query: GroupsQuerySchema,
    replies: { 200: GroupsReplySchema },
    codes: [400],
  }),
  bursts: route({
    method: 'GET',
    path: '/dashboard/bursts/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'logs',
    summary: 'Bursts: checks that repeat something far above its usual level',
    description: 'Compares this hour and the one before with four weeks.',
    replies: { 200: BurstsReplySchema },
  }),
  find: route({
    method: 'GET',
    path: '/dashboard/logs/:id/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'logs',
    summary: 'One check with the arithmetic of its score',
    description: 'The factors add up to the score.',
    params: IdParamsSchema,
    replies: { 200: LogReplySchema },
  }),
  csv: route({
    method: 'GET',
    path: '/dashboard/logs.csv',
    callers: 'user',
    takes: TAKES.download,
    tag: 'logs',
    summary: 'Checks as CSV, newest first, with the filters of the list',
    description: 'Streams as many rows as match.',
    query: LogsCsvQuerySchema,
    replies: { 200: CsvFile },
    codes: [400],
  }),
  refused: route({
    method: 'GET',
    path: '/dashboard/logs/refused/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'logs',
    summary: 'Requests that were refused, by key and code',
    description:
      'Counts of the last seven days with the newest samples. A sample names fields, never what was sent.',
    replies: { 200: RefusedReplySchema },
  }),
};
