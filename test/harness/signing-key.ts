import { generateKeyPairSync, randomUUID } from 'node:crypto';

export interface SigningKey {
  /** JWT_SIGNING_KEY: the private JWK. */
  readonly privateJwk: string;
  /** JWT_PUBLIC_KEYS: the key set that verifies it. */
  readonly publicKeySet: string;
}

/** An Ed25519 key for one stack's tokens. */
export function createSigningKey(kid: string = randomUUID()): SigningKey {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const { d: _private, ...publicPart } = jwk;
  const purpose = { kid, alg: 'EdDSA', use: 'sig' };
  return {
    privateJwk: JSON.stringify({ ...jwk, ...purpose }),
    publicKeySet: JSON.stringify({ keys: [{ ...publicPart, ...purpose }] }),
  };
}
