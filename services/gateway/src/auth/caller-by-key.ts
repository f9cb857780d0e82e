import type { Caller } from '@verdict/redis-store/admit.js';
import type { FastifyRequest } from 'fastify';
import type { CountFailure } from './failed-auth-limit.js';
import type { IdentityCache } from './identity-cache.js';
import { readKey } from './read-credentials.js';

interface CallerDependencies {
  readonly identities: IdentityCache;
  readonly countFailure: CountFailure;
}

/** Who calls a route that takes an API key and nothing else. */
export async function callerByKey(deps: CallerDependencies, request: FastifyRequest): Promise<Caller> {
  try {
    return await readKey(deps.identities, request);
  } catch (error) {
    throw await deps.countFailure(request, error);
  }
}
