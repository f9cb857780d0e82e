import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorBody, toAppError } from './error-body.js';
import { methodNotAllowed, notFound } from './errors.js';
import type { Logger } from './logger.js';

/** May answer a request that no route takes; undefined leaves it to the 404. */
export type UnknownAddress = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply> | undefined;

/** Every failure on every route leaves as JSON with `error`; what was private goes to the log. Before the routes. */
export function installErrorHandling(
  app: FastifyInstance,
  log: Logger,
  unknownAddress: UnknownAddress = () => undefined,
): void {
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply, log));

  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPath.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) known.methods.add(each);
    methodsByPath.set(url, known);
  });

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const allowed = [...methodsByPath.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ methods }) => [...methods]);
    if (allowed.length > 0) return sendError(methodNotAllowed([...new Set(allowed)]), request, reply, log);
    return unknownAddress(request, reply) ?? sendError(notFound(), request, reply, log);
  });
}

/** Which paths a route answers: with and without its trailing slash, any text where it has a parameter. */
function patternOf(url: string): RegExp {
  const steps = url.replace(/\/$/, '').split('/');
  const source = steps.map((step) => {
    if (step === '*') return '.*';
    return step.startsWith(':') ? '[^/]+' : step.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source.join('/')}/?$`);
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const error = toAppError(thrown, request.routeOptions.bodyLimit ?? 0);
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
