import { createHash, generateKeyPairSync } from 'node:crypto';

/** @typedef {ReturnType<typeof createSigningJwk>} SigningJwk */

/** An Ed25519 key that signs tokens. RFC 7638: its own thumbprint names it, so a new key can never reuse an old name. */
export function createSigningJwk() {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const members = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x });
  return { ...jwk, kid: createHash('sha256').update(members).digest('base64url'), alg: 'EdDSA', use: 'sig' };
}

/** The text of JWT_PUBLIC_KEYS: whatever one of these has signed is accepted. @param {SigningJwk[]} jwks */
export function publicKeySet(...jwks) {
  return JSON.stringify({ keys: jwks.map(({ d: _private, ...publicPart }) => publicPart) });
}
