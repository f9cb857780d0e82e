import type { FastifyRequest } from 'fastify';

/** The bytes that a body says it has; the most it may have where they are not known before it is read or unpacked. */
export function declaredBytes({ headers }: FastifyRequest, bytesMax: number): number {
  const { 'content-length': length, 'content-encoding': coding } = headers;
  return Math.min(Number((coding === undefined && length) || bytesMax), bytesMax);
}
