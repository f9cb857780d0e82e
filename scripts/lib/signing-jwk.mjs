import { createHash, generateKeyPairSync } from 'node:crypto';

/** An Ed25519 key that signs tokens. RFC 7638: its own thumbprint names it, so a new key can never reuse an old name. */
export function createSigningJwk() {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const members = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x });
  return { ...jwk, kid: createHash('sha256').update(members).digest('base64url'), alg: 'EdDSA', use: 'sig' };
}
