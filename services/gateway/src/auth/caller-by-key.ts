import type { Caller } from '@verdict/redis-store/step.js';
import type { FastifyRequest } from 'fastify';
import type { CountFailure } from './failed-auth-limit.js';
import type { IdentityCache } from './identity-cache.js';
import { readKey } from './read-credentials.js';

/** Authenticates a route that takes an API key only. */
export async function callerByKey(
  identities: IdentityCache,
  countFailure: CountFailure,
  request: FastifyRequest,
): Promise<Caller> {
  try {
    const key = await readKey(identities, request);
    request.credentials = { key, token: null };
    return key;
  } catch (error) {
    throw await countFailure(request, error);
  }
}
