import { TAGS_PER_MONTH_MAX } from '@verdict/domain/check-tag.js';
import {
  DashboardUsageQuerySchema,
  DashboardUsageReplySchema,
  OverviewReplySchema,
  UsageTagsQuerySchema,
  UsageTagsReplySchema,
} from '../dashboard/usage-api.js';
import { CsvFile } from './file-replies.js';
import { route } from './route.js';
import { TAKES } from './takes.js';

export const USAGE_ROUTES = {
  usage: route({
    method: 'GET',
    path: '/dashboard/usage/',
    callers: 'user',
    takes: TAKES.sums,
    tag: 'usage',
    summary: 'Counted checks by hour, day or month, key and decision',
    description: 'Sums come from the stored checks that are billed.',
    query: DashboardUsageQuerySchema,
    replies: { 200: DashboardUsageReplySchema },
    codes: [400],
  }),
  usageCsv: route({
    method: 'GET',
    path: '/dashboard/usage.csv',
    callers: 'user',
    takes: TAKES.download,
    tag: 'usage',
    summary: 'The same sums as CSV',
    description: 'Takes the query of the JSON listing.',
    query: DashboardUsageQuerySchema,
    replies: { 200: CsvFile },
    codes: [400],
  }),
  usageTags: route({
    method: 'GET',
    path: '/dashboard/usage/tags/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'usage',
    summary: 'Counted checks by tag, with those that have none',
    description: `A month counts its first ${TAGS_PER_MONTH_MAX} tags by name and later ones as \`other\`.`,
    query: UsageTagsQuerySchema,
    replies: { 200: UsageTagsReplySchema },
    codes: [400],
  }),
  usageTagsCsv: route({
    method: 'GET',
    path: '/dashboard/usage/tags.csv',
    callers: 'user',
    takes: TAKES.download,
    tag: 'usage',
    summary: 'The same sums as CSV',
    description: 'Takes the query of the JSON listing.',
    query: UsageTagsQuerySchema,
    replies: { 200: CsvFile },
    codes: [400],
  }),
  overview: route({
    method: 'GET',
    path: '/dashboard/overview/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'usage',
    summary: 'The account at a glance: plan, month, keys and lists',
    description: 'One request for the first page of a dashboard.',
    replies: { 200: OverviewReplySchema },
  }),
};
