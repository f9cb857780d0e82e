import fastifyJwt, { type FastifyJwtVerifyOptions, type VerifyOptions } from '@fastify/jwt';
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_RULES,
} from '@verdict/contracts/token-claims.js';
import { keyByTokenHeader } from '@verdict/service-kit/key-by-token-header.js';
import { readAccessToken } from '@verdict/service-kit/read-access-token.js';
import type { FastifyRequest } from 'fastify';
import type { SigningKeys } from '../config.js';
import type { ControlPlaneApp } from '../http/control-plane-app.js';

/** Signs with one key, accepts tokens of every key in the set: that is how keys are rotated. */
export async function registerTokens(
  app: ControlPlaneApp,
  keys: SigningKeys,
  accessTokenSeconds: number,
): Promise<void> {
  await app.register(fastifyJwt, {
    decode: { complete: true },
    secret: { private: keys.privatePem, public: keyByTokenHeader(keys.publicPems) },
    sign: {
      algorithm: TOKEN_ALGORITHM,
      kid: keys.kid,
      iss: TOKEN_ISSUER,
      aud: TOKEN_AUDIENCE,
      expiresIn: accessTokenSeconds,
    },
    verify: TOKEN_RULES,
  });
}

type AccessTokenOwner = Omit<AccessTokenClaims, 'typ'>;

export const signAccessToken = (app: ControlPlaneApp, owner: AccessTokenOwner): string =>
  app.jwt.sign({ ...owner, typ: ACCESS_TOKEN_TYPE });

/** From the Authorization header, or a token that came in another way. */
export const verifyAccessToken = (request: FastifyRequest, token?: string): Promise<AccessTokenClaims> =>
  readAccessToken(() => request.jwtVerify(token === undefined ? undefined : fromText(token)));

/** Verifies a token that did not come in the Authorization header; everything else stays as registered. */
function fromText(token: string): FastifyJwtVerifyOptions {
  const verify: Partial<VerifyOptions> & { extractToken(): string } = { extractToken: () => token };
  return { decode: { complete: true }, verify };
}
