import { createPublicKey, type JsonWebKey } from 'node:crypto';
import fastifyJwt from '@fastify/jwt';
import { type AccessTokenClaims, TOKEN_RULES } from '@verdict/contracts/token-claims.js';
import { keyByTokenHeader } from '@verdict/service-kit/key-by-token-header.js';
import { readAccessToken } from '@verdict/service-kit/read-access-token.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Lets this service verify access tokens; it holds public keys only and so can never mint one. */
export async function registerTokenVerification(app: FastifyInstance, jwks: string): Promise<void> {
  await app.register(fastifyJwt, {
    decode: { complete: true },
    secret: { public: keyByTokenHeader(readKeys(jwks)) },
    verify: TOKEN_RULES,
  });
}

export const verifyToken = (request: FastifyRequest): Promise<AccessTokenClaims> =>
  readAccessToken(() => request.jwtVerify());

function readKeys(jwks: string): Map<string, string> {
  const { keys } = JSON.parse(jwks) as { keys: (JsonWebKey & { kid: string })[] };
  return new Map(
    keys.map((jwk) => [
      jwk.kid,
      createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
    ]),
  );
}
