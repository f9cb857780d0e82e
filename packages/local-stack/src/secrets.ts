import { randomBytes } from 'node:crypto';
import { readablePassword } from '@verdict/domain/readable-password.js';
import { createSigningJwk } from '../../../scripts/lib/signing-jwk.mjs';
import { readJson, writeJson } from './json-file.js';
import { inData } from './paths.js';
import type { SigningJwk } from './signing-key.js';

export interface Secrets {
  readonly demo_password: string;
  readonly demo_api_key?: string;
  /** Only where an earlier release made the data. */
  readonly postgres_password?: string;
  readonly redis_password: string;
  readonly internal_token: string;
  readonly email_hash_secret: string;
  readonly secrets_key: string;
  readonly signing_jwk: SigningJwk;
}

const file = () => inData('secrets.json');

/** Every secret is made once per install and kept readable by its owner alone; none is ever in git. */
export function loadSecrets(): Secrets {
  const random = () => randomBytes(24).toString('base64url');
  const secrets: Secrets = {
    demo_password: readablePassword(),
    redis_password: random(),
    internal_token: random(),
    email_hash_secret: random(),
    secrets_key: randomBytes(32).toString('base64url'),
    signing_jwk: createSigningJwk(),
    ...readJson<Secrets>(file()),
  };
  saveSecrets(secrets);
  return secrets;
}

export const saveSecrets = (secrets: Secrets): void => writeJson(file(), secrets);
