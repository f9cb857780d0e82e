import { type AccessTokenClaims, AccessTokenClaimsSchema } from '@verdict/contracts/token-claims.js';
import { Compile } from 'typebox/compile';
import { tokenExpired, tokenInvalid } from './errors.js';

const accessToken = Compile(AccessTokenClaimsSchema);

/** The claims of a valid access token. Any other token is a 401. */
export async function readAccessToken(verify: () => Promise<unknown>): Promise<AccessTokenClaims> {
  let claims: unknown;
  try {
    claims = await verify();
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_JWT_AUTHORIZATION_TOKEN_EXPIRED') throw tokenExpired();
    throw tokenInvalid({ why: (error as Error).message });
  }
  if (!accessToken.Check(claims)) throw tokenInvalid({ why: 'claims' });
  return claims;
}
