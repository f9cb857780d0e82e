import type { Caller } from '@verdict/redis-store/admit.js';
import { apiKeyInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import { authenticateKey } from './authenticate-key.js';
import type { Credentials } from './credentials.js';
import type { IdentityCache } from './identity-cache.js';
import { verifyToken } from './verify-token.js';

const BEARER = /^bearer /i;

/** Only an API key will do. */
export async function readKey(identities: IdentityCache, request: FastifyRequest): Promise<Caller> {
  const value = request.headers['x-api-key'];
  if (typeof value !== 'string' || value === '') throw apiKeyInvalid({ why: 'missing' });
  return authenticateKey(identities, value);
}

/** An API key, a bearer token, or both; whatever is sent must be good. */
export async function readKeyOrToken(
  identities: IdentityCache,
  request: FastifyRequest,
): Promise<Credentials> {
  const { authorization } = request.headers;
  if (authorization === undefined || !BEARER.test(authorization)) {
    return { key: await readKey(identities, request), token: null };
  }
  const token = await verifyToken(request);
  const hasKey = request.headers['x-api-key'] !== undefined;
  return { key: hasKey ? await readKey(identities, request) : null, token };
}
