import { CHECK_BATCH_PATH, CHECK_PATH, STATUS_PATH, USAGE_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckQuerySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { CheckBatchBodySchema, CheckBatchResultSchema } from '@verdict/contracts/check-batch-api.js';
import { ErrorBodySchema, LimitErrorBodySchema } from '@verdict/contracts/error-api.js';
import { StatusResultSchema } from '@verdict/contracts/status-api.js';
import { UsageResultSchema } from '@verdict/contracts/usage-api.js';
import { type ErrorCode, errorReplies } from '../http/error-replies.js';
import { header } from './header.js';
import type { OpenApiDocument } from './openapi-document.js';
import { withExamples } from './with-examples.js';

const LIMIT_HEADERS = {
  'RateLimit-Limit': header('Checks a second and key', 'integer'),
  'RateLimit-Remaining': header('How many of them are left', 'integer'),
  'RateLimit-Reset': header('Seconds until the rate is whole again', 'integer'),
  'X-Quota-Limit': header('Checks a month', 'integer'),
  'X-Quota-Remaining': header('How many of them are left', 'integer'),
  'X-Quota-Reset': header('Seconds until the month ends', 'integer'),
};

const CHECK_HEADERS = {
  ...LIMIT_HEADERS,
  'Idempotent-Replayed': header('`true` when this is the answer of an earlier request'),
};

const KEY_CODES: readonly ErrorCode[] = [
  'invalid_api_key',
  'key_inactive',
  'key_expired',
  'address_not_allowed',
];
const CHECK_CODES: readonly ErrorCode[] = [
  ...KEY_CODES,
  'invalid_request',
  'idempotency_mismatch',
  'invalid_token',
  'scope_missing',
  'key_not_owned',
  'key_mismatch',
  'body_too_large',
  'unsupported_media_type',
  'quota_exceeded',
  'key_quota_exceeded',
  'rate_limited',
  'idempotency_limit',
  'test_limit',
];

const CHECK_PARAMETERS = [
  {
    in: 'query',
    name: 'expand',
    required: false,
    description: 'Additions to the answer: `signals`, `breakdown` or both, separated by a comma',
    schema: CheckQuerySchema.properties.expand,
  },
  {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      'Your text, at most 255 characters. Within 24 hours the same key and body return the first answer with `Idempotent-Replayed: true` and count once.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
];

/** The endpoints that the gateway serves itself, from the schemas that it serves them with. */
export function validationPaths(): OpenApiDocument['paths'] {
  const byKey = [{ api_key: [] }];
  return withExamples({
    [CHECK_PATH]: {
      post: {
        operationId: 'check',
        tags: ['validation'],
        summary: 'Validate an address in real time',
        description:
          'Counts as one check when it is answered with 200. With a bearer token, `api_key_id` names the key that is charged. With a test key (`vrd_test_…`) nothing is counted, and addresses of `test.verdict.example` have fixed answers: `allow`, `challenge`, `review`, `block`, `disposable`, `slow` (after two seconds), `quota` (429) and `unavailable` (503).',
        security: [{ api_key: [] }, { bearer: [] }],
        parameters: CHECK_PARAMETERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: CheckBodySchema } },
        },
        responses: {
          200: { ...json(CheckResultSchema, 'The verdict'), headers: CHECK_HEADERS },
          ...refusals(...CHECK_CODES),
        },
      },
    },
    [CHECK_BATCH_PATH]: {
      post: {
        operationId: 'checkBatch',
        tags: ['validation'],
        summary: 'Validate up to a thousand addresses in one request',
        description:
          'Each accepted item counts as one check with its own log id; all are granted or none (429). A malformed item gets an error in its place and does not count.',
        security: [{ api_key: [] }, { bearer: [] }],
        parameters: CHECK_PARAMETERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: CheckBatchBodySchema } },
        },
        responses: {
          200: {
            ...json(CheckBatchResultSchema, 'One result per item, in their order'),
            headers: CHECK_HEADERS,
          },
          ...refusals(...CHECK_CODES),
        },
      },
    },
    [STATUS_PATH]: {
      get: {
        operationId: 'getStatus',
        tags: ['validation'],
        summary: 'Is the API reachable and the key good? Which data is loaded?',
        description: 'Never counts. Answers 429 when the month is used up.',
        security: byKey,
        responses: {
          200: { ...json(StatusResultSchema, 'All is well'), headers: LIMIT_HEADERS },
          ...refusals(...KEY_CODES, 'quota_exceeded', 'key_quota_exceeded', 'rate_limited'),
        },
      },
    },
    [USAGE_PATH]: {
      get: {
        operationId: 'getUsage',
        tags: ['validation'],
        summary: 'Usage of the month',
        description: 'Never counts, and answers when the month is used up too.',
        security: byKey,
        responses: {
          200: { ...json(UsageResultSchema, 'The running month'), headers: LIMIT_HEADERS },
          ...refusals(...KEY_CODES, 'scope_missing', 'rate_limited'),
        },
      },
    },
  });
}

const WITH_LIMITS = new Set(['400', '413', '415', '429']);

/** Refusals by their codes. Those that come after the key is known carry its limits. */
function refusals(...codes: ErrorCode[]) {
  const limited = (codes: readonly ErrorCode[]) => ({
    anyOf: [LimitErrorBodySchema, ErrorBodySchema],
    'x-codes': codes,
  });
  return Object.fromEntries(
    Object.entries(errorReplies(...codes)).map(([status, schema]) => [
      status,
      {
        ...json(status === '429' ? limited(schema['x-codes']) : schema),
        ...(WITH_LIMITS.has(status) && { headers: LIMIT_HEADERS }),
      },
    ]),
  );
}

const json = (schema: object, description = '') => ({
  description,
  content: { 'application/json': { schema } },
});
