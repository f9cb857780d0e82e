import type { RouteOptions } from 'fastify';
import { type ErrorReply, errorReplies } from '../http/error-replies.js';
import { credentialCodes } from './credential-codes.js';

type Replies = Readonly<Record<string, Partial<ErrorReply>>>;

/** The replies of a route by status: those of its schema, and the refusals that it has because of who calls it and how. */
export function documentedReplies(
  route: Pick<RouteOptions, 'schema' | 'config' | 'method' | 'url'>,
): Replies {
  const replies = (route.schema?.response ?? {}) as Replies;
  const own = Object.values(replies).flatMap((reply) => reply['x-codes'] ?? []);
  const method = [route.method].flat()[0] ?? 'GET';
  const refusals = errorReplies(...own, ...credentialCodes(route.config ?? {}, { method, url: route.url }));
  // All have the same schema, which the document names once: to look at a thousand copies took a quarter of its time.
  const codes = Object.entries(refusals).map(([status, { 'x-codes': each }]) => [
    status,
    { 'x-codes': each },
  ]);
  return { ...replies, ...Object.fromEntries(codes) };
}
