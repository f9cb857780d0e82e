import { ErrorBodySchema } from '@verdict/contracts/error-api.js';

type ErrorStatus = 400 | 401 | 403 | 404 | 409;

/** What a route can answer besides success. Every route can be too much (429) or not possible right now (503). */
export const errorReplies = (...statuses: ErrorStatus[]) =>
  Object.fromEntries([...statuses, 429, 503].map((status) => [status, ErrorBodySchema])) as Record<
    ErrorStatus | 429 | 503,
    typeof ErrorBodySchema
  >;
