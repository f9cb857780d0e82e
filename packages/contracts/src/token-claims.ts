import { type Static, Type } from 'typebox';

/** What an access token says. The control plane signs it; the gateway can verify it and never mint one. */
export const TOKEN_ALGORITHM = 'EdDSA';
export const TOKEN_ISSUER = 'verdict';
export const TOKEN_AUDIENCE = 'verdict-api';
export const ACCESS_TOKEN_TYPE = 'access';

export const AccessTokenClaimsSchema = Type.Object({
  sub: Type.String({ description: 'User id' }),
  acc: Type.String({ description: 'Account id' }),
  sid: Type.String({ description: 'Session id' }),
  typ: Type.Literal(ACCESS_TOKEN_TYPE),
});
export type AccessTokenClaims = Static<typeof AccessTokenClaimsSchema>;

/** Without all of these a token is refused, whoever signed it. */
export const REQUIRED_CLAIMS = ['sub', 'acc', 'sid', 'typ', 'iss', 'aud', 'iat', 'exp'];
