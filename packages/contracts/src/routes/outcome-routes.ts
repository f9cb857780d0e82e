import {
  OutcomesBodySchema,
  OutcomesReplySchema,
  PrecisionQuerySchema,
  PrecisionReplySchema,
} from '../outcomes-api.js';
import { route } from './route.js';
import { TAKES } from './takes.js';

export const OUTCOME_ROUTES = {
  record: route({
    method: 'POST',
    path: '/outcomes/',
    callers: 'key or user',
    scope: 'outcomes',
    takes: TAKES.imported,
    tag: 'outcomes',
    summary: 'Say what became of checked people',
    description:
      'By `id` of a check, or by `email`. The last word wins. Never changes a count or a decision.',
    body: OutcomesBodySchema,
    replies: { 200: OutcomesReplySchema },
  }),
  precision: route({
    method: 'GET',
    path: '/dashboard/outcomes/precision/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'outcomes',
    summary: 'How often a signal, rule, list or decision met genuine people',
    description: 'Of the labelled checks, with 95 % intervals.',
    query: PrecisionQuerySchema,
    replies: { 200: PrecisionReplySchema },
    codes: [400],
  }),
};
