import type { Caller } from '@verdict/redis-store/step.js';
import type { FastifyRequest } from 'fastify';
import type { CountFailure } from './failed-auth-limit.js';
import type { IdentityCache } from './identity-cache.js';
import { readKey } from './read-credentials.js';

/** Who calls a route that takes an API key and nothing else. */
export async function callerByKey(
  identities: IdentityCache,
  countFailure: CountFailure,
  request: FastifyRequest,
): Promise<Caller> {
  try {
    return await readKey(identities, request);
  } catch (error) {
    throw await countFailure(request, error);
  }
}
