import { createPublicKey, type JsonWebKey } from 'node:crypto';
import fastifyJwt, { type TokenOrHeader } from '@fastify/jwt';
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  REQUIRED_CLAIMS,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from '@verdict/contracts/token-claims.js';
import { tokenInvalid } from '@verdict/service-kit/errors.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Lets this service verify access tokens; it holds public keys only and so can never mint one. */
export async function registerTokenVerification(app: FastifyInstance, jwks: string): Promise<void> {
  const keys = readKeys(jwks);
  await app.register(fastifyJwt, {
    decode: { complete: true },
    secret: {
      public: async (_request: FastifyRequest, token: TokenOrHeader) => {
        const key = keys.get(('header' in token ? token.header.kid : token.kid) ?? '');
        if (!key) throw new Error('unknown key id');
        return key;
      },
    },
    verify: {
      algorithms: [TOKEN_ALGORITHM],
      allowedIss: TOKEN_ISSUER,
      allowedAud: TOKEN_AUDIENCE,
      requiredClaims: REQUIRED_CLAIMS,
    },
  });
}

const ID = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;

/** The claims of a good access token. Whatever is wrong with another one, anybody could have sent it: always a 401. */
export async function verifyToken(request: FastifyRequest): Promise<AccessTokenClaims> {
  let claims: AccessTokenClaims;
  try {
    claims = await request.jwtVerify<AccessTokenClaims>();
  } catch (error) {
    throw tokenInvalid({ why: (error as Error).message });
  }
  const ids: unknown[] = [claims?.sub, claims?.acc, claims?.sid];
  if (claims?.typ !== ACCESS_TOKEN_TYPE || !ids.every((id) => typeof id === 'string' && ID.test(id))) {
    throw tokenInvalid({ why: 'claims' });
  }
  return claims;
}

function readKeys(jwks: string): Map<string, string> {
  const { keys } = JSON.parse(jwks) as { keys: (JsonWebKey & { kid: string })[] };
  return new Map(
    keys.map((jwk) => [
      jwk.kid,
      createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
    ]),
  );
}
