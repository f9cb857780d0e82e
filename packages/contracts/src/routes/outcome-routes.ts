import { IMPORT_BYTES_MAX } from '../api-paths.js';
import {
  OutcomesBodySchema,
  OutcomesReplySchema,
  PrecisionQuerySchema,
  PrecisionReplySchema,
} from '../outcomes-api.js';
import { route } from './route.js';

export const OUTCOME_ROUTES = {
  record: route({
    method: 'POST',
    path: '/outcomes/',
    callers: 'key or user',
    scope: 'outcomes',
    tag: 'outcomes',
    summary: 'Say what became of checked people',
    description:
      'By `id` of a check, or by `email`. The last word wins. Never changes a count or a decision.',
    body: OutcomesBodySchema,
    bodyBytesMax: IMPORT_BYTES_MAX,
    replies: { 200: OutcomesReplySchema },
  }),
  precision: route({
    method: 'GET',
    path: '/dashboard/outcomes/precision/',
    callers: 'user',
    tag: 'outcomes',
    summary: 'How often a signal, rule, list or decision met genuine people',
    description: 'Of the labelled checks, with 95 % intervals.',
    query: PrecisionQuerySchema,
    replies: { 200: PrecisionReplySchema },
    codes: [400],
  }),
};
