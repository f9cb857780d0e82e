import type { FastifyRequest } from 'fastify';
import type { Credentials } from './credentials.js';
import type { CountFailure } from './failed-auth-limit.js';
import { readKeyOrToken, type TokenDependencies } from './read-credentials.js';

/** Authenticates a route that takes an API key, a token, or both. */
export async function callerByKeyOrToken(
  deps: TokenDependencies,
  countFailure: CountFailure,
  request: FastifyRequest,
): Promise<Credentials> {
  try {
    return await readKeyOrToken(deps, request);
  } catch (error) {
    throw await countFailure(request, error);
  }
}
