import { normalizeIP } from '@fastify/rate-limit';
import type { Caller } from '@verdict/redis-store/step.js';
import { apiKeyInvalid, tokenInvalid, unavailable } from '@verdict/service-kit/errors.js';
import { requireRole } from '@verdict/service-kit/require-role.js';
import type { FastifyRequest } from 'fastify';
import { failureOf } from '../check/failure-of.js';
import type { ControlPlaneClient } from '../clients/control-plane-client.js';
import type { Looks } from '../looks/looks.js';
import type { Credentials } from './credentials.js';
import type { IdentityCache } from './identity-cache.js';
import { verifyToken } from './verify-token.js';

const BEARER = /^bearer /i;

/** The usual case, without a promise: one header, a key that this process has seen before. */
export function knownCredentials(identities: IdentityCache, request: FastifyRequest): Credentials | null {
  const { authorization, 'x-api-key': value } = request.headers;
  if (authorization !== undefined || typeof value !== 'string') return null;
  const key = identities.known(value);
  return key ? { key, token: null } : null;
}

/** Only an API key will do. */
export async function readKey(identities: IdentityCache, request: FastifyRequest): Promise<Caller> {
  const value = request.headers['x-api-key'];
  if (typeof value !== 'string' || value === '') throw apiKeyInvalid({ why: 'missing' });
  const known = identities.known(value);
  if (known) return known;
  const found = await identities.find(value, normalizeIP(request.ip)).catch((error) => {
    throw failureOf('identity', error);
  });
  if (!found) throw apiKeyInvalid({ why: 'unknown' });
  return found;
}

export interface TokenDependencies {
  readonly identities: IdentityCache;
  readonly controlPlane: ControlPlaneClient;
  readonly looks: Looks;
}

/** An API key, a bearer token, or both; whatever is sent must be good. */
export async function readKeyOrToken(
  { identities, controlPlane, looks }: TokenDependencies,
  request: FastifyRequest,
): Promise<Credentials> {
  const { authorization } = request.headers;
  if (authorization === undefined || !BEARER.test(authorization)) {
    return { key: await readKey(identities, request), token: null };
  }
  const token = await verifyToken(request);
  looks.refuseFailing(token.sid);
  const role = await controlPlane.findRole(token).catch((error) => {
    throw unavailable('session', error);
  });
  if (!role) throw tokenInvalid({ why: 'session ended' });
  const { route } = request.routeOptions.config;
  if (route) requireRole(route, role);
  const hasKey = request.headers['x-api-key'] !== undefined;
  return { key: hasKey ? await readKey(identities, request) : null, token };
}
