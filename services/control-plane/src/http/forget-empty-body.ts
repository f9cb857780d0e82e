import { JOBS_PATH } from '@verdict/contracts/api-paths.js';
import type { FastifyRequest } from 'fastify';

/**
 * Treats an empty body as none on routes that take no body, whatever its type says. Many clients send
 * `Content-Type: application/json` with every request, and a DELETE refused for that looks like one that worked.
 */
export async function forgetEmptyBody({ headers, routeOptions }: FastifyRequest): Promise<void> {
  const isEmpty = headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
  const isWanted = routeOptions.schema?.body !== undefined || routeOptions.url === JOBS_PATH;
  if (isEmpty && !isWanted) delete headers['content-type'];
}
