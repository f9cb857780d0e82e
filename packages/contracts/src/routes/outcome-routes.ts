import { DoneSchema, IdParamsSchema } from '../dashboard/common.js';
import {
  OutcomesBodySchema,
  OutcomesReplySchema,
  PrecisionQuerySchema,
  PrecisionReplySchema,
  ProposalsReplySchema,
} from '../outcomes-api.js';
import {
  ClaimReviewBodySchema,
  ClaimReviewReplySchema,
  DecideReviewBodySchema,
  ReviewsQuerySchema,
  ReviewsReplySchema,
} from '../review-api.js';
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
  proposals: route({
    method: 'GET',
    path: '/dashboard/outcomes/proposals/',
    callers: 'user',
    takes: TAKES.read,
    tag: 'outcomes',
    summary: 'Block entries that outcomes propose',
    description:
      'Abuse twice at a mailbox, or at three mailboxes of an unknown domain or domains of a mail server.',
    replies: { 200: ProposalsReplySchema },
  }),
  reviews: route({
    method: 'GET',
    path: '/dashboard/review/',
    callers: 'user',
    takes: TAKES.page,
    tag: 'outcomes',
    summary: 'Checks that wait for review, oldest first',
    description: 'Decided `review`, without an outcome.',
    query: ReviewsQuerySchema,
    replies: { 200: ReviewsReplySchema },
    codes: [400],
  }),
  claimReview: route({
    method: 'POST',
    path: '/dashboard/review/claim/',
    callers: 'user',
    takes: TAKES.change,
    tag: 'outcomes',
    summary: 'Take a check for review',
    description: 'A session holds one check, for ten minutes.',
    body: ClaimReviewBodySchema,
    replies: { 200: ClaimReviewReplySchema },
    codes: [404, 'review_taken'],
  }),
  decideReview: route({
    method: 'POST',
    path: '/dashboard/review/:id/decide/',
    callers: 'user',
    takes: TAKES.change,
    tag: 'outcomes',
    summary: 'Decide a check that you took',
    description: 'Records its outcome.',
    params: IdParamsSchema,
    body: DecideReviewBodySchema,
    replies: { 200: DoneSchema },
    codes: ['review_taken'],
  }),
};
