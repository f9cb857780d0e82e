import httpProxy from '@fastify/http-proxy';
import { CONTROL_PLANE_PREFIXES, OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Dashboard traffic goes to the control plane unread; it learns the client's address and request id from us alone. */
export async function forwardRoutes(app: FastifyInstance, upstream: string): Promise<void> {
  for (const prefix of [...CONTROL_PLANE_PREFIXES, OPENAPI_PATH]) {
    await app.register(httpProxy, {
      upstream,
      prefix,
      rewritePrefix: prefix,
      replyOptions: {
        rewriteRequestHeaders: (request, headers) => ({
          ...headers,
          'x-forwarded-for': (request as FastifyRequest).ip,
          'x-request-id': (request as FastifyRequest).id,
        }),
        // Sent, not thrown: nobody stands above this callback to catch it.
        onError: (reply, { error }) => {
          reply.send(unavailable('control plane', error));
        },
      },
    });
  }
}
