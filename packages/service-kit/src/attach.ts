import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import type {
  BodyOf,
  ParamsOf,
  QueryOf,
  RepliesOf,
  ReplyOf,
  Route,
} from '@verdict/contracts/routes/route.js';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route that this one serves. */
    route?: Route;
  }
}

export type RequestOf<R> = FastifyRequest<{
  Params: ParamsOf<R>;
  Querystring: QueryOf<R>;
  Body: BodyOf<R>;
}>;

export type Handler<R> = (
  request: RequestOf<R>,
  reply: FastifyReply<{ Reply: RepliesOf<R> }>,
) => Promise<ReplyOf<R> & { success: true }>;

/** Sends the answer when it is ready, without a promise. */
export type Sender<R> = (request: RequestOf<R>, reply: FastifyReply) => void;

/** Hooks that a service adds to a route; the contract has the rest. */
type Additions = Pick<RouteShorthandOptions, 'onRequest' | 'preValidation' | 'onSend' | 'errorHandler'> & {
  /** Answers HEAD too, which external monitors send. */
  readonly alsoHead?: true;
};

type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  FastifyTypeProvider
>;

/** Serves a route of the contract: method, path and schemas are the route's, and so are the types of its handler. */
export function attach<R extends Route>(
  app: App,
  route: R,
  handler: Handler<R>,
  additions: Additions = {},
): void {
  serve(app, route, handler as RouteHandlerMethod, additions);
}

/** The same for a handler that sends its answer without a promise. */
export function attachSender<R extends Route>(
  app: App,
  route: R,
  handler: Sender<R>,
  additions: Additions = {},
): void {
  serve(app, route, handler as RouteHandlerMethod, additions);
}

function serve(app: App, route: Route, handler: RouteHandlerMethod, { alsoHead, ...additions }: Additions) {
  const { method, path, params, query, body, takes } = route;
  app.route({
    ...additions,
    method: alsoHead ? [method, 'HEAD'] : method,
    url: `${API_PREFIX}${path}`,
    bodyLimit: takes.bytesIn,
    config: { route },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      response: jsonOf(route),
    },
    handler,
  });
}

/** Files are sent as they are, and the error handler knows the one shape of a failure. */
const jsonOf = ({ replies }: Route): object =>
  Object.fromEntries(Object.entries(replies).filter(([, reply]) => !('content' in reply)));
