import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, toAppError } from './error-body.js';
import { methodNotAllowed, notFound } from './errors.js';
import type { Logger } from './logger.js';

interface ErrorHandlingOptions {
  readonly log: Logger;
  readonly bodyLimitBytes: number;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Every failure on every route leaves as JSON with `error`; what was private goes to the log. */
export function installErrorHandling(
  app: FastifyInstance,
  { log, bodyLimitBytes }: ErrorHandlingOptions,
): void {
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply, log, bodyLimitBytes));

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const allowed = METHODS.filter(
      (method) => app.findRoute({ method, url: path }) !== null || hasRoute(app, method, path),
    );
    const error = allowed.length > 0 ? methodNotAllowed(allowed) : notFound();
    return sendError(error, request, reply, log, bodyLimitBytes);
  });
}

/** findRoute knows literal patterns only; a static path with the other form of the trailing slash is the same route. */
const hasRoute = (app: FastifyInstance, method: (typeof METHODS)[number], path: string): boolean =>
  app.findRoute({ method, url: path.endsWith('/') ? path.slice(0, -1) : `${path}/` }) !== null;

export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
  bodyLimitBytes: number,
): FastifyReply {
  const error = toAppError(thrown, bodyLimitBytes);
  const fields = {
    requestId: request.id,
    status: error.status,
    code: error.code,
    route: request.routeOptions.url,
    ...error.detail,
  };
  if (error.status >= 500) log.error({ ...fields, err: error.cause ?? error }, 'request failed');
  else log.info(fields, 'request refused');
  if (error.headers) reply.headers(error.headers);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  return reply.code(error.status).type('application/json; charset=utf-8').send(errorBody(error));
}
