import { createHash, generateKeyPairSync } from 'node:crypto';

/** An Ed25519 key as JWK. RFC 7638: its own thumbprint names it, so a new key can never reuse an old name. */
export function makeSigningKey() {
  const { d, ...shared } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const members = JSON.stringify({ crv: shared.crv, kty: shared.kty, x: shared.x });
  const kid = createHash('sha256').update(members).digest('base64url');
  const publicJwk = { ...shared, kid, alg: 'EdDSA', use: 'sig' };
  return { publicJwk, privateJwk: { ...publicJwk, d } };
}
