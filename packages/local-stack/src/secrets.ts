import { randomBytes } from 'node:crypto';
import { readablePassword } from '@verdict/domain/readable-password.js';
import { createSigningJwk } from '../../../scripts/lib/signing-jwk.mjs';
import { readJson, writeJson } from './json-file.js';
import { inData } from './paths.js';

export interface Secrets extends ReturnType<typeof createSecrets> {
  readonly demo_api_key?: string;
  /** Only where an earlier release made the data. */
  readonly postgres_password?: string;
}

export function createSecrets() {
  const random = () => randomBytes(32).toString('base64url');
  return {
    demo_password: readablePassword(),
    redis_password: random(),
    internal_token: random(),
    email_hash_secret: random(),
    secrets_key: random(),
    signing_jwk: createSigningJwk(),
  };
}

const file = () => inData('secrets.json');

/** Every secret is made once per install and kept readable by its owner alone; none is ever in git. */
export function loadSecrets(): Secrets {
  const secrets = { ...createSecrets(), ...readJson<Secrets>(file()) };
  saveSecrets(secrets);
  return secrets;
}

export const saveSecrets = (secrets: Secrets): void => writeJson(file(), secrets);
