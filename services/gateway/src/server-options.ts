import type { Socket } from 'node:net';
import type { CreateId } from '@verdict/domain/id.js';
import { errorBody, toAppError } from '@verdict/service-kit/error-body.js';
import { invalidRequest } from '@verdict/service-kit/errors.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { acceptedRequestId } from '@verdict/service-kit/request-id.js';
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyReply,
  LogController,
  type RawServerDefault,
} from 'fastify';

const BODY_LIMIT_BYTES = 1024 * 1024;

/** What a listener that faces the internet needs beyond Fastify's defaults. */
export function serverOptions(log: Logger, createId: CreateId, trustProxy: string) {
  return {
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child per request would be made and redacted anew for a line that is rarely written.
    childLoggerFactory: (logger) => logger,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: (request) => acceptedRequestId(request.headers['x-request-id']) ?? createId('req'),
    // Lists only: a number or `true` would let anybody choose the address that we believe.
    trustProxy: trustProxy === '' ? false : trustProxy.split(',').map((cidr) => cidr.trim()),
    bodyLimit: BODY_LIMIT_BYTES,
    ajv: {
      customOptions: { coerceTypes: false as const, removeAdditional: false as const, allErrors: false },
    },
    requestTimeout: 10_000,
    // Longer than the idle timeout of usual load balancers, so that they close first and no request meets a closed socket.
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle' as const,
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerMalformed(error, socket),
    frameworkErrors: (error, _request, reply) => {
      const appError = toAppError(error, BODY_LIMIT_BYTES);
      void (reply as FastifyReply).code(appError.status).send(errorBody(appError));
    },
  } satisfies FastifyHttpOptions<RawServerDefault, FastifyBaseLogger>;
}

/** What is not even HTTP still gets JSON with `error`, when somebody is there to read it. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const status = timedOut
    ? '408 Request Timeout'
    : tooLarge
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request';
  const text = timedOut
    ? 'The request did not arrive in time.'
    : tooLarge
      ? 'The headers are too large.'
      : 'The request is not valid HTTP.';
  const body = JSON.stringify(errorBody(invalidRequest(text)));
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
