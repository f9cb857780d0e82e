import fastifyJwt, {
  type FastifyJwtVerifyOptions,
  type TokenOrHeader,
  type VerifyOptions,
} from '@fastify/jwt';
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  REQUIRED_CLAIMS,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
} from '@verdict/contracts/token-claims.js';
import { tokenInvalid } from '@verdict/service-kit/errors.js';
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
    secret: {
      private: keys.privatePem,
      public: async (_request: FastifyRequest, token: TokenOrHeader) => {
        const key = keys.publicPems.get(('header' in token ? token.header.kid : token.kid) ?? '');
        if (!key) throw new Error('unknown key id');
        return key;
      },
    },
    sign: {
      algorithm: TOKEN_ALGORITHM,
      kid: keys.kid,
      iss: TOKEN_ISSUER,
      aud: TOKEN_AUDIENCE,
      expiresIn: accessTokenSeconds,
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

type AccessTokenOwner = Omit<AccessTokenClaims, 'typ'>;

export const signAccessToken = (app: ControlPlaneApp, owner: AccessTokenOwner): string =>
  app.jwt.sign({ ...owner, typ: ACCESS_TOKEN_TYPE });

/** The claims of a good access token. Whatever is wrong with another one, anybody could have sent it: always a 401. */
export async function verifyAccessToken(request: FastifyRequest, token?: string): Promise<AccessTokenClaims> {
  let claims: AccessTokenClaims;
  try {
    claims = await request.jwtVerify<AccessTokenClaims>(token === undefined ? undefined : fromText(token));
  } catch (error) {
    throw tokenInvalid({ why: (error as Error).message });
  }
  const ids: unknown[] = [claims?.sub, claims?.acc, claims?.sid];
  if (claims?.typ !== ACCESS_TOKEN_TYPE || !ids.every((id) => typeof id === 'string' && ID.test(id))) {
    throw tokenInvalid({ why: 'claims' });
  }
  return claims;
}

/** Verifies a token that did not come in the Authorization header; everything else stays as registered. */
function fromText(token: string): FastifyJwtVerifyOptions {
  const verify: Partial<VerifyOptions> & { extractToken(): string } = { extractToken: () => token };
  return { decode: { complete: true }, verify };
}
