import { ErrorBodySchema } from '@verdict/contracts/error-api.js';

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 416;

/** The errors of a route. Every route may answer 429 and 503. */
export const errorReplies = (...statuses: ErrorStatus[]) =>
  Object.fromEntries([...statuses, 429, 503].map((status) => [status, ErrorBodySchema])) as Record<
    ErrorStatus | 429 | 503,
    typeof ErrorBodySchema
  >;
