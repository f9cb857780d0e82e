import { type Static, Type } from 'typebox';
import { idPattern } from './id-pattern.js';

/** The claims of an access token. The control plane signs it; the gateway can verify it and never mint one. */
export const TOKEN_ALGORITHM = 'EdDSA' as const;
export const TOKEN_ISSUER = 'verdict';
export const TOKEN_AUDIENCE = 'verdict-api';
export const ACCESS_TOKEN_TYPE = 'access';

const Id = (description: string) => Type.String({ pattern: `^${idPattern()}$`, description });

export const AccessTokenClaimsSchema = Type.Object({
  sub: Id('User id'),
  acc: Id('Account id'),
  sid: Id('Session id'),
  typ: Type.Literal(ACCESS_TOKEN_TYPE),
});
export type AccessTokenClaims = Static<typeof AccessTokenClaimsSchema>;

/** The rules for verifying a token. A token without all of these claims is refused. */
export const TOKEN_RULES = {
  algorithms: [TOKEN_ALGORITHM] as (typeof TOKEN_ALGORITHM)[],
  allowedIss: TOKEN_ISSUER,
  allowedAud: TOKEN_AUDIENCE,
  requiredClaims: ['sub', 'acc', 'sid', 'typ', 'iss', 'aud', 'iat', 'exp'],
};
