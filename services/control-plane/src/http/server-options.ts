import type { CreateId } from '@verdict/domain/id.js';
import { errorBody, toAppError } from '@verdict/service-kit/error-body.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { acceptedRequestId } from '@verdict/service-kit/request-id.js';
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyReply,
  LogController,
  type RawServerDefault,
} from 'fastify';

const BODY_LIMIT_BYTES = 16 * 1024;

/** Types are taken as sent and unknown fields refused: {"name": 1} is a mistake, and so is {"plan": "scale"} on a key. */
export function serverOptions(log: Logger, createId: CreateId, trustProxy: string) {
  return {
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: (request) => acceptedRequestId(request.headers['x-request-id']) ?? createId('req'),
    trustProxy: trustProxy === '' ? false : trustProxy.split(',').map((cidr) => cidr.trim()),
    bodyLimit: BODY_LIMIT_BYTES,
    ajv: {
      customOptions: { coerceTypes: false as const, removeAdditional: false as const, allErrors: false },
    },
    requestTimeout: 10_000,
    // Longer than the gateway keeps its side open, so that it never writes into a socket that we are closing.
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle' as const,
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    frameworkErrors: (error, _request, reply) => {
      const appError = toAppError(error, BODY_LIMIT_BYTES);
      void (reply as FastifyReply).code(appError.status).send(errorBody(appError));
    },
  } satisfies FastifyHttpOptions<RawServerDefault, FastifyBaseLogger>;
}
