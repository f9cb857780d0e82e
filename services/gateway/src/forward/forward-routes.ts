import {
  API_PREFIX,
  CONTROL_PLANE_PREFIXES,
  FORWARDED_BODY_BYTES_MAX,
  JOBS_PATH,
  LARGE_BODIES,
} from '@verdict/contracts/api-paths.js';
import type { UnknownAddress } from '@verdict/service-kit/error-handling.js';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { declaredBytes } from './declared-bytes.js';
import type { Forwarder } from './forwarder.js';
import { addressOf, ownersOf } from './forwarding-shares.js';
import type { LimitRequests } from './limit-requests.js';
import { openApiRoute } from './openapi-route.js';

const METHODS: HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Dashboard traffic goes to the control plane unread; it learns the client's address and request id from us alone. */
export async function forwardRoutes(
  app: FastifyInstance,
  forwarder: Forwarder,
  limitRequests: LimitRequests,
): Promise<void> {
  const { forward, shares } = forwarder;
  await app.register(async (scope) => {
    scope.addHook('onRequest', limitRequests);
    // Unchanged: the control plane validates it. Read completely before an upstream connection is taken.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const prefix of CONTROL_PLANE_PREFIXES) {
      for (const url of [prefix, `${prefix}/*`]) {
        // Files and large bodies have their own route.
        const own = `${url}/` === JOBS_PATH || LARGE_BODIES.some(({ path }) => path === `${url}/`);
        const method = own ? METHODS.filter((each) => each !== 'POST') : METHODS;
        scope.route({ method, url, bodyLimit: FORWARDED_BODY_BYTES_MAX, handler: forward });
      }
    }
    for (const { path, bytesMax } of LARGE_BODIES) {
      scope.route({
        method: 'POST',
        url: path,
        bodyLimit: bytesMax,
        onRequest: async (request, reply) => {
          const sent = declaredBytes(request, bytesMax);
          if (sent > FORWARDED_BODY_BYTES_MAX) await shares.largeBody(await ownersOf(request), reply.raw);
          shares.bytes([addressOf(request)], reply.raw, sent);
        },
        handler: forward,
      });
    }
    openApiRoute(scope, forwarder);
  });
}

/** The web application is the control plane's too: what a browser may open lies anywhere but under the API. */
export const forwardPages =
  ({ forward }: Pick<Forwarder, 'forward'>, limitRequests: LimitRequests): UnknownAddress =>
  (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    if (!request.url.startsWith('/') || request.url.startsWith(API_ROOT)) return undefined;
    return limitRequests(request, reply).then(() => forward(request, reply));
  };

/** /api: everything below it is JSON, whatever version it is of. */
const API_ROOT = `/${API_PREFIX.split('/')[1]}/`;
