import { randomBytes, randomFillSync } from 'node:crypto';
import { createApiKey } from '@verdict/domain/api-key.js';
import { readablePassword } from '@verdict/domain/readable-password.js';
import { createSigningJwk } from '../../../scripts/lib/signing-jwk.mjs';
import { readJson, writeJson } from './json-file.js';
import { inData } from './paths.js';

export interface Secrets extends ReturnType<typeof createSecrets> {
  /** Only where an earlier release made the data. */
  readonly postgres_password?: string;
}

export function createSecrets() {
  const random = () => randomBytes(32).toString('base64url');
  return {
    demo_password: readablePassword(),
    demo_api_key: createApiKey(randomFillSync),
    redis_password: random(),
    internal_token: random(),
    email_hash_secret: random(),
    secrets_key: random(),
    signing_jwk: createSigningJwk(),
  };
}

/** Every secret is made once per install and kept readable by its owner alone; none is ever in git. */
export function loadSecrets(): Secrets {
  const file = inData('secrets.json');
  const secrets = { ...createSecrets(), ...readJson<Secrets>(file) };
  writeJson(file, secrets);
  return secrets;
}
