import { createPublicKey } from 'node:crypto';
import { ConfigError } from './config-error.js';

export type Jwk = Record<string, string>;

/**
 * The keys of trusted tokens by key id, in the form that the token library needs. `name` is the setting that held the
 * JWKS.
 */
export function readPublicKeys(name: string, jwks: string): Map<string, string> {
  const { keys } = parseJwk(name, jwks) as { keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0) throw new ConfigError(`${name} holds no keys`);
  return new Map(
    (keys as Jwk[]).map((jwk) => [
      kidOf(name, jwk),
      toPem(name, () => createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })),
    ]),
  );
}

export function parseJwk(name: string, text: string): Jwk {
  try {
    const jwk: unknown = JSON.parse(text);
    if (typeof jwk === 'object' && jwk !== null) return jwk as Jwk;
  } catch {
    // Said below, without the parser's message: it would quote the key.
  }
  throw new ConfigError(`${name} is not a JWK in JSON`);
}

export function kidOf(name: string, jwk: Jwk): string {
  if (typeof jwk.kid !== 'string' || jwk.kid === '') throw new ConfigError(`${name} has a key without kid`);
  return jwk.kid;
}

export function toPem(name: string, make: () => string | Buffer): string {
  try {
    return String(make());
  } catch {
    throw new ConfigError(`${name} is not an Ed25519 key`);
  }
}
