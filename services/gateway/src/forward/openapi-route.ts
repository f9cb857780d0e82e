import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { codingOf } from '@verdict/service-kit/compress-answer.js';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Forwarder } from './forwarder.js';
import { addressOf } from './forwarding-shares.js';

/** As long as clients may see the document of the release before. */
const KEPT_MS = 60_000;
const OF_THE_DOCUMENT = new Set(['cache-control', 'content-encoding', 'content-type', 'etag']);

/**
 * Answers openapi.json from memory, in each coding as the control plane compressed it. It is large and open to everybody,
 * so a reader must cost neither the control plane nor a copy.
 */
export function openApiRoute(
  scope: FastifyInstance,
  { ask, shares }: Pick<Forwarder, 'ask' | 'shares'>,
): void {
  const documents = new LRUCache({
    max: 3,
    ttl: KEPT_MS,
    fetchMethod: async (coding: string) => {
      const { headers, bytes } = await ask(OPENAPI_PATH, { 'accept-encoding': coding });
      const own = Object.entries(headers).filter(([name]) => OF_THE_DOCUMENT.has(name));
      return { headers: Object.fromEntries(own), tag: String(headers.etag).replace('W/', ''), bytes };
    },
  });
  scope.route({
    method: ['GET', 'HEAD'],
    url: OPENAPI_PATH,
    handler: async (request, reply) => {
      // Many addresses together must not take the memory of logins.
      shares.bytes([addressOf(request), OPENAPI_PATH], reply.raw);
      const { headers, tag, bytes } = await documents.forceFetch(codingOf(request) ?? 'identity');
      reply.headers(headers);
      if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
      return reply.send(bytes);
    },
  });
}
