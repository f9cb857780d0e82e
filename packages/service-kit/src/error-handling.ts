import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientOf } from './client-of.js';
import { errorBody, toAppError } from './error-body.js';
import { methodNotAllowed, notFound } from './errors.js';
import type { Logger } from './logger.js';
import { createRefusalLog, type Refusal, type RefusalLog } from './refusal-log.js';

/** May answer a request that no route takes; undefined leaves it to the 404. */
export type UnknownAddress = (
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply | Promise<FastifyReply> | undefined;

/** The refused caller, as far as the request has shown it. */
export type Who = (request: FastifyRequest) => {
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
};

interface ErrorHandling {
  readonly unknownAddress?: UnknownAddress;
  readonly who?: Who;
  /** Gets every refusal beside the log. */
  readonly onRefused?: (refusal: Refusal) => void;
}

/** Every failure on every route leaves as JSON with `error`; what was private goes to the log. Before the routes. */
export function installErrorHandling(
  app: FastifyInstance,
  log: Logger,
  { unknownAddress = () => undefined, who = () => ({}), onRefused = () => undefined }: ErrorHandling = {},
): void {
  const refusals = createRefusalLog(log);
  app.addHook('onClose', async () => refusals.flush());
  const send = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendError(thrown, request, reply, { refusals, who, onRefused });
  app.setErrorHandler(send);

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
    if (allowed.length > 0) return send(methodNotAllowed([...new Set(allowed)]), request, reply);
    return unknownAddress(request, reply) ?? send(notFound(), request, reply);
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

interface Told extends Required<Pick<ErrorHandling, 'who' | 'onRefused'>> {
  readonly refusals: RefusalLog;
}

function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { refusals, who, onRefused }: Told,
): FastifyReply {
  const error = toAppError(thrown, request.routeOptions.bodyLimit ?? 0);
  const refusal: Refusal = {
    requestId: request.id,
    status: error.status,
    code: error.code,
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '/',
    route: request.routeOptions.url,
    client: clientOf(request),
    ...who(request),
    fields: error.fields?.map(({ field }) => field),
    detail: error.detail,
    cause: error.cause ?? error,
  };
  refusals.note(refusal);
  onRefused(refusal);
  if (error.headers) reply.headers(error.headers);
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  return reply.code(error.status).type('application/json; charset=utf-8').send(errorBody(error));
}
