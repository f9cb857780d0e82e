import fastifyJwt from '@fastify/jwt';
import { type AccessTokenClaims, TOKEN_RULES } from '@verdict/contracts/token-claims.js';
import { keyByTokenHeader } from '@verdict/service-kit/key-by-token-header.js';
import { readPublicKeys } from '@verdict/service-kit/public-keys.js';
import { readAccessToken } from '@verdict/service-kit/read-access-token.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Lets this service verify access tokens; it holds public keys only and so can never mint one. */
export async function registerTokenVerification(app: FastifyInstance, jwks: string): Promise<void> {
  await app.register(fastifyJwt, {
    decode: { complete: true },
    secret: { public: keyByTokenHeader(readPublicKeys('JWT_PUBLIC_KEYS', jwks)) },
    verify: TOKEN_RULES,
  });
}

export const verifyToken = (request: FastifyRequest): Promise<AccessTokenClaims> =>
  readAccessToken(() => request.jwtVerify());
