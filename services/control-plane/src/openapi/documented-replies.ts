import type { RouteOptions } from 'fastify';
import { type ErrorReply, errorReplies } from '../http/error-replies.js';
import { credentialCodes } from './credential-codes.js';

export type Replies = Readonly<Record<string, ErrorReply>>;

/** The replies of a route by status: those of its schema, and the refusals that it has because of who calls it and how. */
export function documentedReplies(
  route: Pick<RouteOptions, 'schema' | 'config' | 'method' | 'url'>,
): Replies {
  const replies = (route.schema?.response ?? {}) as Replies;
  const own = Object.values(replies).flatMap((reply) => reply['x-codes'] ?? []);
  const method = [route.method].flat()[0] ?? 'GET';
  return {
    ...replies,
    ...errorReplies(...own, ...credentialCodes(route.config ?? {}, { method, url: route.url })),
  };
}
