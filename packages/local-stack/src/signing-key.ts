import type { createSigningJwk } from '../../../scripts/lib/signing-jwk.mjs';

export type SigningJwk = ReturnType<typeof createSigningJwk>;

/** As JWT_SIGNING_KEY and JWT_PUBLIC_KEYS want it; `others` are good too, but sign nothing. */
export function signingKeyOf(
  jwk: SigningJwk,
  ...others: SigningJwk[]
): { privateJwk: string; publicKeySet: string } {
  const keys = [jwk, ...others].map(({ d: _private, ...publicPart }) => publicPart);
  return { privateJwk: JSON.stringify(jwk), publicKeySet: JSON.stringify({ keys }) };
}
