import { createHash, generateKeyPairSync, type JsonWebKey } from 'node:crypto';

export type SigningJwk = JsonWebKey & { readonly kid: string; readonly alg: string; readonly use: string };

/** An Ed25519 key for one stack's tokens. */
export function createSigningJwk(): SigningJwk {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  // RFC 7638: the key's own thumbprint names it, so a new key can never reuse an old name.
  const members = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x });
  return { ...jwk, kid: createHash('sha256').update(members).digest('base64url'), alg: 'EdDSA', use: 'sig' };
}

/** As JWT_SIGNING_KEY and JWT_PUBLIC_KEYS want it; `others` are good too, but sign nothing. */
export function signingKeyOf(
  jwk: SigningJwk,
  ...others: SigningJwk[]
): { privateJwk: string; publicKeySet: string } {
  const keys = [jwk, ...others].map(({ d: _private, ...publicPart }) => publicPart);
  return { privateJwk: JSON.stringify(jwk), publicKeySet: JSON.stringify({ keys }) };
}
