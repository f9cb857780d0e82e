import { header } from './header.js';
import type { OpenApiDocument } from './openapi-document.js';

const HEADERS = {
  'RateLimit-Limit': header('Requests a minute and address', 'integer'),
  'RateLimit-Remaining': header('How many of them are left', 'integer'),
  'RateLimit-Reset': header('Seconds until all of them are there again', 'integer'),
};

/** Adds the headers of the limit by address, which gateways send with every answer. */
export const withRateLimits = (paths: OpenApiDocument['paths']): OpenApiDocument['paths'] =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          {
            ...operation,
            responses: Object.fromEntries(
              Object.entries(operation.responses).map(([status, reply]) => [
                status,
                { ...reply, headers: { ...HEADERS, ...reply.headers } },
              ]),
            ),
          },
        ]),
      ),
    ]),
  );
