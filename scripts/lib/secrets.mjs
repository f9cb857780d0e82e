import { createHash, generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';
import path from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { dataDir } from './paths.mjs';

const file = path.join(dataDir, 'secrets.json');

/** Every secret is made once per install and kept readable by its owner alone; none is ever in git. */
export function loadSecrets() {
  const known = readJson(file);
  const secrets = { ...generateSecrets(), ...known };
  writeJson(file, secrets);
  return secrets;
}

/** @param {object} secrets */
export const saveSecrets = (secrets) => writeJson(file, secrets);

function generateSecrets() {
  const random = () => randomBytes(24).toString('base64url');
  return {
    demo_password: readablePassword(),
    postgres_password: random(),
    redis_password: random(),
    internal_token: random(),
    email_hash_secret: random(),
    signing_jwk: signingKey(),
  };
}

/** Typed by hand now and then: no look-alike letters, in groups; 16 letters of 29 are 77 bits. */
function readablePassword() {
  const letters = 'abcdefghjkmnpqrstuvwxyz345678';
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

export function signingKey() {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  // RFC 7638: the key's own thumbprint names it, so a new key can never reuse an old name.
  const members = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x });
  const kid = createHash('sha256').update(members).digest('base64url');
  return { ...jwk, kid, alg: 'EdDSA', use: 'sig' };
}

/** @param {Record<string, string>} signingJwk */
export function publicKeySet({ d: _private, ...publicJwk }) {
  return { keys: [publicJwk] };
}
