import { type TObject, Type } from 'typebox';
import { CheckBodySchema, CheckQuerySchema, CheckResultSchema, TryBodySchema } from '../check-api.js';
import { AcceptedBatchBodySchema, CheckBatchBodySchema, CheckBatchResultSchema } from '../check-batch-api.js';
import { IdParamsSchema } from '../dashboard/common.js';
import type { ErrorCode } from '../error-codes.js';
import { StatusResultSchema } from '../status-api.js';
import { UsageResultSchema } from '../usage-api.js';
import { ProviderAnswer } from './file-replies.js';
import { route } from './route.js';
import { TAKES } from './takes.js';

const CheckHeaders: TObject = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Your text, at most 255 characters. Within 24 hours the same key and body return the first answer with `Idempotent-Replayed: true` and count once.',
    }),
  ),
});

const CHECK_CODES: readonly ErrorCode[] = [
  'idempotency_mismatch',
  'key_mismatch',
  'quota_exceeded',
  'key_quota_exceeded',
  'rate_limited',
  'idempotency_limit',
  'test_limit',
];

/** The routes that the gateway serves itself. */
export const VALIDATION_ROUTES = {
  check: route({
    method: 'POST',
    path: '/check/',
    operationId: 'check',
    callers: 'key or user',
    scope: 'check',
    takes: TAKES.check,
    tag: 'validation',
    summary: 'Validate an address in real time',
    description:
      'Counts as one check when it is answered with 200. With a bearer token, `api_key_id` names the key that is charged. With a test key (`vrd_test_…`) nothing is counted, and addresses of `test.verdict.example` have fixed answers: `allow`, `challenge`, `review`, `block`, `disposable`, `slow` (after two seconds), `quota` (429) and `unavailable` (503).',
    query: CheckQuerySchema,
    headers: CheckHeaders,
    body: CheckBodySchema,
    replies: { 200: CheckResultSchema },
    replyDescription: 'The verdict',
    codes: CHECK_CODES,
  }),
  checkBatch: route({
    method: 'POST',
    path: '/check/batch/',
    operationId: 'checkBatch',
    callers: 'key or user',
    scope: 'check',
    takes: TAKES.batch,
    tag: 'validation',
    summary: 'Validate up to a thousand addresses in one request',
    description:
      'Each accepted item counts as one check with its own log id; all are granted or none (429). A malformed item gets an error in its place and does not count.',
    query: CheckQuerySchema,
    headers: CheckHeaders,
    body: AcceptedBatchBodySchema,
    documentedBody: CheckBatchBodySchema,
    replies: { 200: CheckBatchResultSchema },
    replyDescription: 'One result per item, in their order',
    codes: CHECK_CODES,
  }),
  try: route({
    method: 'POST',
    path: '/try/',
    operationId: 'tryAddress',
    callers: 'anyone',
    takes: TAKES.attempt,
    tag: 'validation',
    summary: 'Validate an address on the front page',
    description:
      'Ten a minute for each client address, charged to the key that the server sets aside for it. Servers without such a key answer 404.',
    body: TryBodySchema,
    replies: { 200: CheckResultSchema },
    replyDescription: 'The verdict',
    codes: [404, 'quota_exceeded', 'key_quota_exceeded', 'rate_limited'],
  }),
  status: route({
    method: 'GET',
    path: '/status/',
    operationId: 'getStatus',
    callers: 'key',
    takes: TAKES.look,
    tag: 'validation',
    summary: 'Check the key and the loaded data',
    description: 'Never counts. Answers 429 when the month is used up.',
    replies: { 200: StatusResultSchema },
    replyDescription: 'All is well',
    codes: ['quota_exceeded', 'key_quota_exceeded', 'rate_limited'],
  }),
  usage: route({
    method: 'GET',
    path: '/usage/',
    operationId: 'getUsage',
    callers: 'key',
    scope: 'usage',
    takes: TAKES.look,
    tag: 'validation',
    summary: 'Usage of the month',
    description: 'Never counts, and answers when the month is used up too.',
    replies: { 200: UsageResultSchema },
    replyDescription: 'The running month',
    codes: ['rate_limited'],
  }),
  receiveHook: route({
    method: 'POST',
    path: '/hooks/:id/',
    operationId: 'receiveHook',
    callers: 'anyone',
    takes: TAKES.hook,
    tag: 'hooks',
    summary: 'Called by an auth provider before, or after, a sign-up',
    description:
      "Answers in the provider's contract. The provider's event id is the idempotency key. An unknown hook and a wrong signature are both a 401.",
    params: IdParamsSchema,
    files: { 'application/json': { schema: Type.Object({}) } },
    replies: { 200: ProviderAnswer },
    codes: ['invalid_signature'],
  }),
};
