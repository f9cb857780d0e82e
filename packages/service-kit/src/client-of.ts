import type { FastifyRequest } from 'fastify';

/**
 * The address of a client. Node takes the socket from a request whose body could not be read to its end, and the address
 * from a connection that ended.
 */
export function clientOf(request: FastifyRequest): string {
  if ((request.raw.socket as object | null) === null) return 'gone';
  return (request.ip as string | undefined) ?? 'gone';
}
