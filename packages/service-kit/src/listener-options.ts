import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyReply,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { ajvOptions } from './ajv-options.js';
import { errorBody, toAppError } from './error-body.js';
import { invalidRequest } from './errors.js';
import { lazyCompilers } from './lazy-compilers.js';
import type { Logger } from './logger.js';
import { isLongUpload } from './long-uploads.js';
import { acceptedRequestId } from './request-id.js';
import { valuesOf } from './settings.js';
import { latestWhole } from './unanswered.js';

interface ListenerOptions {
  readonly log: Logger;
  readonly createRequestId: () => string;
  /** CIDRs, separated by commas; empty trusts no proxy. */
  readonly trustProxy: string;
  readonly bodyLimitBytes: number;
  /** For the headers of a request; the whole of it has twice as long. */
  readonly headersTimeoutMs: number;
}

/**
 * Settings of a public listener beyond Fastify's defaults. Types are not coerced and unknown fields are refused,
 * because {"name": 1} and {"plan": "scale"} on a key are mistakes.
 */
export function listenerOptions(options: ListenerOptions) {
  const { log, createRequestId, trustProxy, bodyLimitBytes, headersTimeoutMs } = options;
  return {
    // One shared logger, because a child per request costs redaction for a line that is rarely written, and Fastify's
    // own logger listens to the end of every answer.
    logger: false as const,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log as FastifyBaseLogger,
    exposeHeadRoutes: false,
    // Longer than any request line, so that the schema of the route judges every id.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100_000 },
    genReqId: (request) => acceptedRequestId(request.headers['x-request-id']) ?? createRequestId(),
    // Lists only: a number or `true` would let any client choose its address.
    trustProxy: trustProxy === '' ? false : valuesOf(trustProxy),
    bodyLimit: bodyLimitBytes,
    ajv: ajvOptions,
    schemaController: lazyCompilers,
    requestTimeout: 2 * headersTimeoutMs,
    // Longer than the idle timeout of usual load balancers, so that they close first and no request meets a closed socket.
    keepAliveTimeout: 75_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle' as const,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    clientErrorHandler: judgeMalformed,
    frameworkErrors: (error, request, reply) => {
      const appError = toAppError(error, bodyLimitBytes);
      const answer = (reply as FastifyReply).header('x-request-id', request.id);
      void answer.code(appError.status).send(errorBody(appError));
    },
  } satisfies FastifyHttpOptions<RawServerDefault, FastifyBaseLogger>;
}

const MALFORMED: Readonly<Record<string, readonly [status: string, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
};

/** Judges input that Node reports: what is not HTTP, and requests that take long. */
function judgeMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return void answerMalformed(error, socket);
  if (isLongUpload(socket)) return;
  // A process that stood still looks at the time before it reads the requests that arrived meanwhile.
  const before = latestWhole(socket);
  setImmediate(() => {
    if (latestWhole(socket) === before) answerMalformed(error, socket);
  });
}

/** Input that is not HTTP still gets JSON with `error` if the client can read it. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, sentence] = MALFORMED[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not valid HTTP.',
  ];
  const body = JSON.stringify(errorBody(invalidRequest(sentence)));
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
